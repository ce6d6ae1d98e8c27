package import BrowseDomain
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request in flight in a `URLSession`, and its partial response.
final class Exchange: Sendable {
    private struct State {
        var head: HTTPURLResponse?
        var body = Data()
        var version: String?
    }

    let call = PendingCall()
    private let request: HTTPClient.Request
    private let state = Mutex(State())

    init(request: HTTPClient.Request) {
        self.request = request
    }

    /// Registers the caller for the next response; returns `false`, and resumes it, after a failure.
    func begin(_ waiter: CheckedContinuation<PendingCall.Outcome, Never>) -> Bool {
        state.withLock { $0 = State() }
        return call.begin(waiter)
    }

    /// Receives the status and header; fails if the announced length exceeds the limit.
    func receive(_ head: HTTPURLResponse) {
        guard head.expectedContentLength <= Int64(request.limits.bodyBytes) else { return failTooLarge() }
        state.withLock { state in
            guard call.isWaiting else { return }
            state.head = head
            state.body = Data()
            if head.expectedContentLength > 0 { state.body.reserveCapacity(Int(clamping: head.expectedContentLength)) }
        }
    }

    /// Receives the status and header at the end of the transfer, unless they were received before.
    func receiveUnreported(_ head: HTTPURLResponse) {
        state.withLock { state in
            guard call.isWaiting, state.head == nil else { return }
            state.head = head
        }
    }

    /// Receives a part of the body; fails if the body exceeds the limit.
    func receive(_ part: Data) {
        let isWithinLimit = state.withLock { state in
            guard call.isWaiting else { return true }
            guard state.body.count + part.count <= request.limits.bodyBytes else { return false }
            state.body.append(part)
            return true
        }
        if !isWithinLimit { failTooLarge() }
    }

    /// Receives the identifier of the protocol, such as `h2` (RFC 7301); before the end of the transfer.
    func receive(protocolNamed name: String) {
        let version: String? =
            switch name {
            case "http/1.0": "HTTP/1.0"
            case "http/1.1": "HTTP/1.1"
            case "h2": "HTTP/2"
            case "h3": "HTTP/3"
            default: nil
            }
        state.withLock { $0.version = version }
    }

    /// Receives the end of the transfer.
    ///
    /// - Parameter isRefusedChallenge: Whether the transfer was canceled because the server requested credentials. The 401 and
    ///   the body received before that are the response.
    func complete(with error: (any Error)?, isRefusedChallenge: Bool) {
        guard call.isWaiting else { return }
        let (head, body, version) = state.withLock { state in (state.head, state.body, state.version) }
        // A redirect or a 404 is one without its body, too.
        let isUndecodable = [.cannotDecodeContentData, .cannotDecodeRawData].contains((error as? URLError)?.code)
        let hasNoBody = isUndecodable && head.map { !(200..<300).contains($0.statusCode) } == true
        guard let head, error == nil || isRefusedChallenge || hasNoBody else {
            call.fail(with: BrowseError(transferError: error, hadResponse: head != nil, request: request.info))
            return
        }
        var response = HTTPClient.Response(
            status: head.statusCode,
            headers: HTTPHeaders(head),
            body: hasNoBody ? Data() : body,
            url: head.url ?? request.url
        )
        response.version = version
        call.finish(with: .success(response))
    }

    private func failTooLarge() {
        call.fail(with: .unusableResponse(.tooLarge(limit: request.limits.bodyBytes), request.info))
        state.withLock { $0.body = Data() }
    }
}

extension HTTPHeaders {
    fileprivate init(_ head: HTTPURLResponse) {
        self.init()
        for (name, value) in head.allHeaderFields {
            guard let name = name as? String, let value = value as? String else { continue }
            self[name] = HTTPHeaders.sanitized(value.utf8)
        }
    }
}

extension BrowseError {
    /// Creates the error for a transfer that ended without a usable response.
    ///
    /// On Linux, Foundation reports a connection that closes during the body as `.unknown`, and one that closes before the
    /// first byte as `.badServerResponse`, so the error depends on the received bytes, too.
    package init(transferError error: (any Error)?, hadResponse: Bool, request: RequestInfo) {
        let error = error.map { $0 as NSError }
        let code = error?.domain == NSURLErrorDomain ? error.map { URLError.Code(rawValue: $0.code) } : nil
        switch code {
        case .cancelled:
            self = .cancelled
        case .timedOut:
            self = .timedOut(request)
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff:
            self = .unreachable(.offline, request)
        case .cannotFindHost, .dnsLookupFailed:
            self = .unreachable(.hostNotFound, request)
        case .cannotConnectToHost:
            self = .unreachable(.connectionRefused, request)
        case .networkConnectionLost:
            self = .unreachable(.connectionLost, request)
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot, .clientCertificateRejected,
            .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
            self = .unreachable(.notSecure(detail: Self.detail(of: error)), request)
        case _ where hadResponse || (code == .badServerResponse && Self.isLinux):
            self = .unreachable(.connectionLost, request)
        case .unknown where Self.isLinux && (error?.localizedDescription).map(Self.isAboutSecurity) == true:
            self = .unreachable(.notSecure(detail: Self.detail(of: error)), request)
        default:
            self = .unreachable(.other(code: error?.code ?? 0, detail: Self.detail(of: error)), request)
        }
    }

    private static func detail(of error: NSError?) -> String {
        error.map { ShownText.words($0.localizedDescription, limit: 300) } ?? "no response and no error"
    }

    /// Whether libcurl's text describes a security failure, for which Foundation on Linux has no code.
    private static func isAboutSecurity(_ text: String) -> Bool {
        text.contains("SSL") || text.contains("TLS")
    }

    private static var isLinux: Bool {
        #if canImport(FoundationNetworking)
        true
        #else
        false
        #endif
    }
}

/// Forwards a session's callbacks to its exchanges.
///
/// No callback may cancel or resume a task: on Linux, callbacks run on the session's own queue (see
/// ``Foundation/OperationQueue/forExchanges()``), so the call would deadlock.
final class ExchangeDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private struct Entry {
        let exchange: Exchange
        var refusedChallenge = false
    }

    private let entries = Mutex<[Int: Entry]>([:])

    func add(_ exchange: Exchange, for task: URLSessionTask) {
        entries.withLock { $0[task.taskIdentifier] = Entry(exchange: exchange) }
    }

    private func exchange(for task: URLSessionTask) -> Exchange? {
        entries.withLock { $0[task.taskIdentifier]?.exchange }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let head = response as? HTTPURLResponse { exchange(for: dataTask)?.receive(head) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(for: dataTask)?.receive(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let entry = entries.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        // On Linux, a redirect without a readable `Location` ends without a response callback.
        if error == nil, let head = task.response as? HTTPURLResponse { entry.exchange.receiveUnreported(head) }
        entry.exchange.complete(with: error, isRefusedChallenge: entry.refusedChallenge)
    }

    #if !canImport(FoundationNetworking)
    // Foundation on Linux doesn't report metrics.
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        guard let name = metrics.transactionMetrics.last?.networkProtocolName else { return }
        exchange(for: task)?.receive(protocolNamed: name)
    }
    #endif

    /// Returns every redirect as the response; ``RedirectPolicy`` handles it.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// Rejects challenges, so that the 401 is the response; proxies get the system's credentials.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard !challenge.protectionSpace.isProxy() else {
            completionHandler(.performDefaultHandling, nil)
            return
        }
        #if canImport(FoundationNetworking)
        // On Linux, the 401 and its body arrive before the challenge, and only canceling it ends the transfer. That cancels the
        // task, so it must run on another queue.
        entries.withLock { $0[task.taskIdentifier]?.refusedChallenge = true }
        DispatchQueue.global().async { completionHandler(.cancelAuthenticationChallenge, nil) }
        #else
        switch challenge.protectionSpace.authenticationMethod {
        case NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate:
            completionHandler(.performDefaultHandling, nil)
        default:
            completionHandler(.rejectProtectionSpace, nil)
        }
        #endif
    }
}

extension OperationQueue {
    /// The queue on which a session calls ``ExchangeDelegate``.
    ///
    /// On Linux, parts of a body queue up while the delegate is busy: a response of 512 MB, or of 512 KB that decompress to it,
    /// took 540 MB of memory before the limit of 32 MB applied. In place, each part is counted before the next is decompressed.
    static func forExchanges() -> OperationQueue {
        #if canImport(FoundationNetworking)
        return InPlaceOperationQueue()
        #else
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        return queue
        #endif
    }
}

#if canImport(FoundationNetworking)
/// Runs operations in place on the thread that adds them, one at a time.
///
/// A `URLProtocol` reports on its own thread. If two threads report the end of a task, Foundation removes it from its registry
/// twice and crashes.
///
/// `@unchecked Sendable` restates the superclass's conformance; the lock is the only state.
private final class InPlaceOperationQueue: OperationQueue, @unchecked Sendable {
    /// Recursive, since a callback can cause the next callback before it returns.
    private let turn = NSRecursiveLock()

    override func addOperation(_ block: @escaping @Sendable () -> Void) { turn.withLock(block) }

    override func addOperation(_ operation: Operation) { turn.withLock(operation.start) }
}
#endif
