import BrowseDomain
import Foundation
import ScriptedTLSServer
import Testing

@testable import BrowseData

/// The transport that this run tests, and the certificates that `tls.sh` made for it.
enum TestedTransport {
    private static let environment = ProcessInfo.processInfo.environment

    /// Whether this run tests ``URLSessionTransport``, which trusts the system's authorities only.
    static let isURLSession = environment["BROWSEKIT_TLS_TRANSPORT"] == "URLSession"

    /// The folder that `certificates.sh` has filled.
    static let certificates = environment["BROWSEKIT_TLS_CERTIFICATES"]

    /// The versions in which a given-up response ends at the server: Foundation on Linux never resets streams of HTTP/2.
    static let versionsThatEnd: [TLSServer.Version] = isURLSession ? [.http1] : TLSServer.Version.allCases

    /// The versions in which a request never fails because the connection was just closed: below Foundation on Linux, libcurl
    /// may send a request on a closed connection of HTTP/2, and then reports an unclean end of the stream.
    static let versionsThatReconnect: [TLSServer.Version] = isURLSession ? [.http1] : TLSServer.Version.allCases

    /// Creates a transport that trusts the test authority.
    static func make(connectionsPerHost: Int = 8) throws -> any HTTPTransport {
        let authorities = try URL(filePath: path("ca.pem"))
        #if canImport(Glibc)
        if !isURLSession {
            return CurlTransport(connectionsPerHost: connectionsPerHost, certificateAuthorities: authorities)
        }
        #endif
        // The script has made the test authority one of the system's for this process.
        return URLSessionTransport(connectionsPerHost: connectionsPerHost)
    }

    /// The path of a file that `certificates.sh` has made.
    static func path(_ name: String) throws -> String {
        let folder = try #require(certificates, "Run these tests by `make tls`, which makes the certificates")
        return "\(folder)/\(name)"
    }
}

extension Trait where Self == ConditionTrait {
    /// Leaves a test out of the run of `URLSessionTransport` on Linux.
    static func notByURLSession(_ reason: Comment) -> Self {
        .disabled(if: TestedTransport.isURLSession, reason)
    }
}
