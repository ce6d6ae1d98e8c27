import BrowseData
import BrowseKit

/// The transport that an app gets on this platform.
func defaultTransport(connections: Int) -> any HTTPTransport {
    Container(Configuration(requestConcurrency: connections)).transport()
}
