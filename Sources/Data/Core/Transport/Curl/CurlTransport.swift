#if canImport(Glibc) && canImport(CBrowseCurl)
package import BrowseDomain
import CBrowseCurl
package import Foundation

/// A transport based on the system's libcurl, the default on Linux with glibc.
///
/// It stores no cookies, cache, or credentials, and uses the environment's proxy settings. It uses
/// HTTP/2 if libcurl supports it, and accepts gzip. One instance serves any number of tasks and
/// reuses connections. Its thread ends when the transport is released or has been idle for 30
/// seconds.
///
/// It trusts the certificate authorities in the environment's `CURL_CA_BUNDLE` or `SSL_CERT_FILE`,
/// like the `curl` command, or else the system's.
///
/// No response can crash the process, unlike with `URLSession` on Linux; see Docs/Decisions/0021.
package final class CurlTransport: HTTPTransport {
    private let engine: CurlEngine
    private let timeLimits: TimeLimits

    /// - Parameters:
    ///   - idleDuration: The time after which idle connections are closed.
    ///   - certificateAuthorities: A file of certificates that are trusted instead of the
    ///     environment's or the system's.
    package init(
        connectionsPerHost: Int = 8,
        clock: any Clock<Duration> = ContinuousClock(),
        idleDuration: Duration = .seconds(30),
        certificateAuthorities: URL? = nil
    ) {
        engine = CurlEngine(
            options: CurlOptions(
                connectionsPerHost: connectionsPerHost.clamped(to: .requestsInFlight),
                idleDuration: idleDuration,
                certificateAuthorities: certificateAuthorities ?? CurlOptions.environmentAuthorities
            )
        )
        timeLimits = TimeLimits(clock: clock)
    }

    deinit { engine.close() }

    package func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
        try await timeLimits.send(request) { [engine] in
            engine.cancel($0)
        } start: { hop, response in
            guard CurlLibrary.isReady, let origin = Origin(hop.url) else {
                let failure = BrowseError(curlCode: CURLE_FAILED_INIT, request: hop.info)
                _ = response.resolve(.failure(failure))
                return
            }
            engine.start(CurlHop(request: hop, origin: origin, response: response))
        }
    }
}
#endif
