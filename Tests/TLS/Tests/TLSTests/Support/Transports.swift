import BrowseDomain
import Foundation
import Testing

@testable import BrowseData

/// The transport under test, and the certificates that `tls.sh` created.
enum TestedTransport {
    /// The folder of the certificates.
    static let certificates = ProcessInfo.processInfo.environment["BROWSEKIT_TLS_CERTIFICATES"]

    /// Creates a transport that trusts the test authority.
    static func make(
        connectionsPerHost: Int = 8,
        clock: any Clock<Duration> = ContinuousClock()
    ) throws -> any HTTPTransport {
        CurlTransport(
            connectionsPerHost: connectionsPerHost,
            clock: clock,
            certificateAuthorities: try URL(filePath: path("ca.pem"))
        )
    }

    /// Returns the path of a file in that folder.
    static func path(_ name: String) throws -> String {
        let folder = try #require(certificates, "Run these tests by `make tls`, which makes the certificates")
        return "\(folder)/\(name)"
    }
}
