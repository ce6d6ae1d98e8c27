#if os(macOS) || os(Linux)
import BrowseData
import Foundation

/// The transport of `TestChild`.
///
/// It's the platform's default, or `URLSession` if the environment variable `BROWSEKIT_TRANSPORT` is `URLSession`.
enum TestTransport {
    static func make() -> any HTTPTransport {
        #if canImport(Glibc)
        if ProcessInfo.processInfo.environment["BROWSEKIT_TRANSPORT"] != "URLSession" {
            return CurlTransport(connectionsPerHost: 16)
        }
        #endif
        return URLSessionTransport(connectionsPerHost: 16)
    }
}
#endif
