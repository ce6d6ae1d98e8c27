import BrowseData
import BrowseKit

/// The platform's default transport.
func defaultTransport(connections: Int) -> any HTTPTransport {
    Container(Configuration(requestConcurrency: connections)).transport()
}
