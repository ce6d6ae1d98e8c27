#if os(macOS) || os(Linux)
import BrowseData
import Foundation

/// The transport that the programs of `TestChild` use: the platform's default, or `URLSession` where the environment's
/// `BROWSEKIT_TRANSPORT` names it.
enum TestTransport {
    static func make(redirectLimit: Int = 5) -> any HTTPTransport {
        #if canImport(Glibc)
        if ProcessInfo.processInfo.environment["BROWSEKIT_TRANSPORT"] != "URLSession" {
            return CurlTransport(connectionsPerHost: 16, redirectLimit: redirectLimit)
        }
        #endif
        return URLSessionTransport(connectionsPerHost: 16, redirectLimit: redirectLimit)
    }
}
#endif
