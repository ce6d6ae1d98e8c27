import BrowseDomain
import Foundation
import ScriptedTLSServer
import Testing

@testable import BrowseData

/// The transport under test, and the certificates that `tls.sh` created.
enum TestedTransport {
    private static let environment = ProcessInfo.processInfo.environment

    /// Whether this run tests ``URLSessionTransport``, which trusts only the system's authorities.
    static let isURLSession = environment["BROWSEKIT_TLS_TRANSPORT"] == "URLSession"

    /// The folder of the certificates.
    static let certificates = environment["BROWSEKIT_TLS_CERTIFICATES"]

    /// The versions in which abandoned responses end at the server.
    ///
    /// Foundation on Linux never resets streams of HTTP/2.
    static let versionsThatEnd: [TLSServer.Version] = isURLSession ? [.http1] : TLSServer.Version.allCases

    /// The versions in which requests never fail because of a connection that was just closed.
    ///
    /// In Foundation on Linux, libcurl can send a request on a closed HTTP/2 connection, and then reports an unclean end of the
    /// stream.
    static let versionsThatReconnect: [TLSServer.Version] = isURLSession ? [.http1] : TLSServer.Version.allCases

    /// Creates a transport that trusts the test authority.
    static func make(
        connectionsPerHost: Int = 8,
        clock: any Clock<Duration> = ContinuousClock()
    ) throws -> any HTTPTransport {
        let authorities = try URL(filePath: path("ca.pem"))
        #if canImport(Glibc)
        if !isURLSession {
            return CurlTransport(
                connectionsPerHost: connectionsPerHost,
                clock: clock,
                certificateAuthorities: authorities
            )
        }
        #endif
        // `tls.sh` has added the test authority to the system's for this process.
        return URLSessionTransport(connectionsPerHost: connectionsPerHost, clock: clock)
    }

    /// Returns the path of a file in that folder.
    static func path(_ name: String) throws -> String {
        let folder = try #require(certificates, "Run these tests by `make tls`, which makes the certificates")
        return "\(folder)/\(name)"
    }
}

extension Trait where Self == ConditionTrait {
    /// Disables a test for `URLSessionTransport` on Linux.
    static func notByURLSession(_ reason: Comment) -> Self {
        .disabled(if: TestedTransport.isURLSession, reason)
    }
}
