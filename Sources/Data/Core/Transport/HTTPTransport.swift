public import BrowseDomain
import Synchronization

/// Performs HTTP requests.
///
/// Apps use ``HTTPClient/makeTransport(connectionsPerHost:clock:)``. Conform a type to send requests another way, or to respond
/// without a network in a test:
///
/// ```swift
/// struct Canned: HTTPTransport {
///     let body: Data
///     func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
///         HTTPClient.Response(status: 200, body: body, url: request.url)
///     }
/// }
/// ```
///
/// A conforming type must enforce ``HTTPClient/Request/limits``, must throw `BrowseError.cancelled` soon after its task is canceled,
/// and must not send credentials to another origin: after a redirect there, it sends no header fields except harmless ones, such
/// as `Accept` and `User-Agent`. To modify requests instead, write an ``HTTPMiddleware``.
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns the complete response, even with the status of an error.
    ///
    /// - Throws: `.cancelled`, `.unreachable`, `.timedOut`, `.unusableResponse`, or `.refused`.
    func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response
}

extension HTTPClient {
    /// Creates a transport: `CurlTransport` on Linux with glibc, `URLSession` on all other platforms.
    ///
    /// - Parameters:
    ///   - connectionsPerHost: The maximum number of connections to one host, 1 to 100.
    ///   - clock: Measures ``HTTPLimits/duration``.
    public static func makeTransport(
        connectionsPerHost: Int = 8,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> any HTTPTransport {
        #if canImport(Glibc) && canImport(CBrowseCurl)
        CurlTransport(connectionsPerHost: connectionsPerHost, clock: clock)
        #else
        URLSessionTransport(connectionsPerHost: connectionsPerHost, clock: clock)
        #endif
    }
}

/// A call of a transport's `send`: resumes the caller once for each hop, with the first outcome.
///
/// A failure is final: later hops of the same call fail with it, too.
package final class PendingCall: Sendable {
    package typealias Outcome = Result<HTTPClient.Response, BrowseError>

    private enum State {
        case idle
        case waiting(CheckedContinuation<Outcome, Never>)
        case failed(BrowseError)
    }

    private let state = Mutex(State.idle)

    package init() {}

    /// Whether a hop is in flight.
    var isWaiting: Bool { state.withLock { if case .waiting = $0 { true } else { false } } }

    /// The failure of the call; `nil` if it hasn't failed.
    var failure: BrowseError? { state.withLock { if case .failed(let error) = $0 { error } else { nil } } }

    /// Begins a hop; returns `false`, and resumes the caller, if the call has failed.
    package func begin(_ continuation: CheckedContinuation<Outcome, Never>) -> Bool {
        let failure = state.withLock { state -> BrowseError? in
            if case .failed(let error) = state { return error }
            state = .waiting(continuation)
            return nil
        }
        guard let failure else { return true }
        continuation.resume(returning: .failure(failure))
        return false
    }

    /// Ends the current hop.
    package func finish(with outcome: Outcome) {
        let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            guard case .waiting(let continuation) = state else { return nil }
            state = .idle
            return continuation
        }
        continuation?.resume(returning: outcome)
    }

    /// Fails the call, unless it has failed; returns whether a hop was in flight.
    @discardableResult
    package func fail(with error: BrowseError) -> Bool {
        let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            defer { if case .failed = state {} else { state = .failed(error) } }
            return if case .waiting(let continuation) = state { continuation } else { nil }
        }
        continuation?.resume(returning: .failure(error))
        return continuation != nil
    }
}
