import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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
