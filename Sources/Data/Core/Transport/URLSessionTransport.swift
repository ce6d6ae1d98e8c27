package import BrowseDomain
import Synchronization

#if canImport(FoundationNetworking)
import Foundation
package import FoundationNetworking
#else
package import Foundation
#endif

/// A transport based on `URLSession`, the default on Apple platforms.
///
/// On Linux, some responses crash or hang `URLSession`, so `CurlTransport` is the default there with glibc.
///
/// It stores no cookies, cache, or credentials. One instance serves any number of tasks and reuses connections. After it is
/// released, requests in flight complete and the session closes.
///
/// It uses a delegate, because `data(for:)` can't stop a body at its size limit, and on Linux, it sends `Authorization` to other
/// hosts after redirects, and hangs after a 401 with a `Basic` challenge.
package final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let delegate = ExchangeDelegate()
    private let clock: any Clock<Duration>
    private let extraHeaders: HTTPHeaders
    #if canImport(FoundationNetworking)
    /// Shared by all transports, as their sessions share one queue. A queue each could block all of Dispatch's threads.
    private static let calls = DispatchQueue(label: "BrowseKit.URLSessionTransport")
    /// Whether requests that aren't safe to repeat get their own session; see ``session(for:)``.
    private let separates: Bool
    #endif

    /// - Parameters:
    ///   - protocolClasses: `URLProtocol` classes that can respond before the network, such as in tests.
    ///   - extraHeaders: Fields added to every request and redirect, for mocks; not for secrets.
    package init(
        connectionsPerHost: Int = 8,
        protocolClasses: [URLProtocol.Type] = [],
        extraHeaders: HTTPHeaders = [:],
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = connectionsPerHost.clamped(to: .requestsInFlight)
        if !protocolClasses.isEmpty {
            configuration.protocolClasses = protocolClasses + (configuration.protocolClasses ?? [])
        }
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: .forExchanges())
        #if canImport(FoundationNetworking)
        separates = protocolClasses.isEmpty
        #endif
        self.extraHeaders = extraHeaders
        self.clock = clock
    }

    /// Runs a closure asynchronously on a serial queue.
    package typealias Queue = @Sendable (@escaping @Sendable () -> Void) -> Void

    #if canImport(FoundationNetworking)
    /// The queue on which a `URLProtocol` can report to the session, and on which the session stops it.
    ///
    /// It guards the session's task table: a report from another queue reads the table while it changes, and crashes. No public
    /// API names the queue, but `getAllTasks` calls back on it because our delegate queue runs in place.
    package var sessionQueue: Queue {
        { [weak session] body in session?.getAllTasks { _ in body() } }
    }
    #endif

    deinit {
        // Invalidating the session releases its delegate. It is queued, because an earlier call may still start a canceled
        // request, which crashes an invalidated session on Linux.
        call { [session] in session.finishTasksAndInvalidate() }
    }

    package func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
        let exchange = Exchange(request: request)
        let limit = clock.startTimeLimit(of: request.limits.duration) {
            exchange.call.fail(with: .timedOut(request.info))
        }
        defer { limit.cancel() }

        return try await RedirectPolicy.follow(request) { (hop) async throws(BrowseError) in
            // Added to each hop: a redirect to another origin removes most fields.
            var hop = hop
            hop.headers.merge(extraHeaders)
            return try await perform(hop, in: exchange).validated(for: hop)
        }
    }

    private func perform(_ request: HTTPClient.Request, in exchange: Exchange) async throws(BrowseError)
        -> HTTPClient.Response
    {
        _ = try request.validatedOrigin()
        let (session, delegate) = session(for: request)
        let request = URLRequest(request)
        let started = Mutex<URLSessionTask?>(nil)
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard exchange.begin(continuation) else { return }
                call {
                    let task = session.dataTask(with: request)
                    started.withLock { $0 = task }
                    delegate.add(exchange, for: task)
                    task.resume()
                }
            }
        } onCancel: {
            exchange.call.fail(with: .cancelled)
        }
        // Not in the delegate: on Linux, canceling in a callback waits for the queue that runs the callback.
        if case .failure = outcome { call { started.withLock { $0 }?.cancel() } }
        if session !== self.session { call { session.finishTasksAndInvalidate() } }
        return try outcome.get()
    }

    /// Returns the session for a request, and its delegate.
    ///
    /// When a reused connection closes before a response begins, libcurl repeats the request, whatever its method: a server may
    /// process a POST twice. A new connection prevents that, and only a new session is sure to open one.
    private func session(for request: HTTPClient.Request) -> (URLSession, ExchangeDelegate) {
        #if canImport(FoundationNetworking)
        if !request.isSafeToRepeat, separates {
            let delegate = ExchangeDelegate()
            let queue = OperationQueue.forExchanges()
            return (
                URLSession(configuration: session.configuration, delegate: delegate, delegateQueue: queue), delegate
            )
        }
        #endif
        return (session, delegate)
    }

    /// Calls the session after earlier calls.
    ///
    /// On Linux, creating, starting, or canceling a task waits for a queue that all sessions share, and a server that sends
    /// many small chunks can keep it busy indefinitely. With a queue of our own, callers still return in time.
    private func call(_ body: @escaping @Sendable () -> Void) {
        #if canImport(FoundationNetworking)
        Self.calls.async(execute: body)
        #else
        body()
        #endif
    }
}

extension URLRequest {
    fileprivate init(_ request: HTTPClient.Request) {
        self.init(url: request.url, cachePolicy: .reloadIgnoringLocalCacheData)
        httpMethod = request.method.rawValue
        httpBody = request.body
        httpShouldHandleCookies = false
        // Longer than the time limit, which the transport's clock measures. Linux truncates it to seconds, so half a second
        // would be zero, and crashes on very large numbers.
        timeoutInterval = min(request.limits.duration.timeInterval, 1_000_000).rounded(.up) + 1
        for (name, value) in request.headers.fields { setValue(value, forHTTPHeaderField: name) }
    }
}
