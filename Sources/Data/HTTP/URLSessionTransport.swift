public import BrowseDomain
import Synchronization

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// A `URLSession` that counts bytes, follows redirects by its own rules, and answers challenges.
///
/// It is the default transport on Apple platforms. On Linux, some responses crash or stall it: there, `CurlTransport` is the
/// default, and `Configuration.transport` selects this one.
///
/// It keeps no cookies, no cache and no credentials. One instance serves any number of tasks at once; connections are
/// reused between requests. Going out of scope closes it after the requests on their way.
///
/// Why a delegate and not `data(for:)`: only a delegate can stop a body that grows over its limit, keep `Authorization`
/// from following a redirect to another host, and answer a 401 with a `Basic` challenge, which on Linux otherwise hangs.
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let delegate = ExchangeDelegate()
    private let redirects: RedirectPolicy
    private let clock: any Clock<Duration>
    private let extraHeaders: HTTPHeaders
    #if canImport(FoundationNetworking)
    /// One for all transports, as all sessions share one: a queue each would block a thread each, and use them all up.
    private static let calls = DispatchQueue(label: "BrowseKit.URLSessionTransport")
    /// Whether requests that must not arrive twice go by a session of their own; see ``lane(for:)``.
    private let separates: Bool
    #endif

    /// Creates a transport with a session of its own.
    ///
    /// - Parameters:
    ///   - connectionsPerHost: The most connections to one host at once, 1 to 100 as GitHub demands.
    ///   - redirectLimit: The most redirects for one request.
    ///   - protocolClasses: `URLProtocol` classes that may answer before the network, such as ``MockURLProtocol``.
    ///   - extraHeaders: Fields put on every request and every redirect of it; meant for mocks, not for secrets.
    ///   - clock: Measures ``HTTPLimits/duration``.
    public init(
        connectionsPerHost: Int = 8,
        redirectLimit: Int = 5,
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
        configuration.httpMaximumConnectionsPerHost = min(max(1, connectionsPerHost), 100)
        if !protocolClasses.isEmpty {
            configuration.protocolClasses = protocolClasses + (configuration.protocolClasses ?? [])
        }
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: .forExchanges())
        #if canImport(FoundationNetworking)
        separates = protocolClasses.isEmpty
        #endif
        redirects = RedirectPolicy(limit: max(0, redirectLimit))
        self.extraHeaders = extraHeaders
        self.clock = clock
    }

    /// Runs something later, on a queue.
    typealias Queue = @Sendable (@escaping @Sendable () -> Void) -> Void

    #if canImport(FoundationNetworking)
    /// The queue on which a `URLProtocol` may report to the session, and on which the session stops it.
    ///
    /// It guards the session's table of tasks: a report from elsewhere reads the table while it changes, which ends the process.
    /// Nothing public names the queue, but the list of tasks is handed out on it, since our delegate queue runs in place.
    var sessionQueue: Queue {
        { [weak session] body in session?.getAllTasks { _ in body() } }
    }
    #endif

    deinit {
        // The session keeps its delegate alive until it is told to stop. After the calls before: the call that starts a
        // request may come when nobody waits for it any more, and on Linux a session that was told ends the process.
        call { [session] in session.finishTasksAndInvalidate() }
    }

    /// Sends a request and waits for the whole response, whatever its status.
    ///
    /// Cancelling the calling task cancels the request and ends with `BrowseError.cancelled`.
    public func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
        let exchange = Exchange(request: request)
        let limit = clock.startTimeLimit(of: request.limits.duration) { exchange.fail(with: .timedOut(request.info)) }
        defer { limit.cancel() }

        var request = request
        request.headers.merge(extraHeaders)
        return try await redirects.follow(request) { (hop) async throws(BrowseError) in
            try await perform(hop, in: exchange)
        }
    }

    private func perform(_ request: HTTPRequest, in exchange: Exchange) async throws(BrowseError) -> HTTPResponse {
        _ = try request.validatedOrigin()
        let (session, delegate) = lane(for: request)
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
            exchange.fail(with: .cancelled)
        }
        // Not in the delegate: on Linux, cancelling from inside a callback waits for the queue that runs the callback.
        if case .failure = outcome { call { started.withLock { $0 }?.cancel() } }
        if session !== self.session { call { session.finishTasksAndInvalidate() } }
        return try outcome.get()
    }

    /// The session for a request, and its delegate.
    ///
    /// When a connection that was used before ends before a response begins, libcurl sends the request again on its own, whatever
    /// the method; a server that had worked on a POST gets it twice. Only a new connection is safe from that, and only a
    /// new session is sure to open one.
    private func lane(for request: HTTPRequest) -> (URLSession, ExchangeDelegate) {
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

    /// Calls the session, after the calls before.
    ///
    /// On Linux to make, start or cancel a task waits for a queue that all sessions of the process share, and a server that
    /// sends faster than the session reads (many small chunks are enough) keeps it busy for as long as it likes. So there
    /// the calls go by a queue of ours: whoever waits for a response is told of its end in time, whatever the session does.
    private func call(_ body: @escaping @Sendable () -> Void) {
        #if canImport(FoundationNetworking)
        Self.calls.async(execute: body)
        #else
        body()
        #endif
    }
}

extension URLRequest {
    fileprivate init(_ request: HTTPRequest) {
        self.init(url: request.url, cachePolicy: .reloadIgnoringLocalCacheData)
        httpMethod = request.method.rawValue
        httpBody = request.body
        httpShouldHandleCookies = false
        // The exchange is bounded by the transport's clock. This only has to be longer: Linux cuts it to whole seconds, so
        // that half a second would be none, and crashes on numbers that are too large.
        timeoutInterval = min(request.limits.duration.timeInterval, 1_000_000).rounded(.up) + 1
        for (name, value) in request.headers.fields { setValue(value, forHTTPHeaderField: name) }
    }
}
