#if canImport(Glibc) && canImport(CBrowseCurl)
package import BrowseDomain
import CBrowseCurl
package import Foundation

/// A transport based on the system's libcurl, the default on Linux with glibc.
///
/// It stores no cookies, cache, or credentials, and uses the environment's proxy settings. It uses HTTP/2 and compression if
/// libcurl supports them. One instance serves any number of tasks and reuses connections. Its thread ends when the transport is
/// released or has been idle for 30 seconds.
///
/// No response can crash the process, unlike with `URLSession` on Linux; see Docs/Decisions/0021.
package final class CurlTransport: HTTPTransport {
    private let engine: CurlEngine
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - idleDuration: The time after which idle connections are closed.
    ///   - certificateAuthorities: A file of certificates that are trusted instead of the system's.
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
                certificateAuthorities: certificateAuthorities
            )
        )
        self.clock = clock
    }

    deinit { engine.close() }

    package func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
        let call = PendingCall()
        let limit = clock.startTimeLimit(of: request.limits.duration) { [engine] in
            if call.fail(with: .timedOut(request.info)) { engine.cancel(call) }
        }
        defer { limit.cancel() }
        return try await RedirectPolicy.follow(request) { (hop) async throws(BrowseError) in
            try await perform(hop, of: call).validated(for: hop)
        }
    }

    private func perform(_ request: HTTPClient.Request, of call: PendingCall) async throws(BrowseError)
        -> HTTPClient.Response
    {
        let hop = CurlHop(request, to: try request.validatedOrigin(), of: call)
        guard CurlLibrary.isReady else { throw BrowseError(curlCode: CURLE_FAILED_INIT, request: request.info) }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if call.begin(continuation) { engine.start(hop) }
            }
        } onCancel: {
            if call.fail(with: .cancelled) { engine.cancel(call) }
        }
        return try outcome.get()
    }
}

/// A request of a call: the original or a redirect.
struct CurlHop: Sendable {
    let request: HTTPClient.Request
    let origin: Origin
    let call: PendingCall
    /// Whether the hop needs a new connection.
    var needsNewConnection: Bool

    init(_ request: HTTPClient.Request, to origin: Origin, of call: PendingCall) {
        self.request = request
        self.origin = origin
        self.call = call
        // When a reused connection closes before a response begins, libcurl repeats the request, whatever its method.
        needsNewConnection = !request.isSafeToRepeat
    }
}
#endif
