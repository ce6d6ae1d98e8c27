import BrowseData
import BrowseKit

/// The platform's default transport.
func defaultTransport(connections: Int) -> any HTTPTransport {
    Container(Configuration().with { $0.requestConcurrency = connections }).transport()
}
