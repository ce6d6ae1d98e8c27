import Foundation
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Hands what a session reports to the exchange that it belongs to.
///
/// No callback makes the session or a task do anything: on Linux they run on the session's own queue (see
/// ``Foundation/OperationQueue/forExchanges()``), where cancelling or resuming would wait for itself.
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
        // On Linux a redirect whose `Location` is missing or unreadable ends without having been reported as a response.
        if error == nil, let head = task.response as? HTTPURLResponse { entry.exchange.receiveUnreported(head) }
        entry.exchange.complete(with: error, isRefusedChallenge: entry.refusedChallenge)
    }

    /// Refuses every redirect, which makes it the response; ``RedirectPolicy`` decides what to do with it.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// Gives no credentials, so that the server's 401 is the response. A proxy gets those of the system's settings.
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
        // Here the 401 and its body have arrived before the challenge, and no answer but to cancel ends the transfer.
        // The answer goes by another queue since it cancels the task.
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
    /// On Linux, parts of a body queue up while the delegate is busy: a response of 512 MB, or of 512 KB that unpack to it,
    /// took 540 MB of memory before the limit of 32 MB could stop it. Run in place, each part is counted before the next
    /// is unpacked, and the same responses cost no more than the limit.
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
/// Runs each operation at once on the thread that adds it, one at a time.
///
/// One at a time as on any serial queue: a `URLProtocol` reports from a thread of its own, and Foundation, told of the end of
/// a task from two threads at once, takes it out of its registry twice and ends the process.
///
/// `@unchecked Sendable` restates what the superclass says; the lock is all the state there is.
private final class InPlaceOperationQueue: OperationQueue, @unchecked Sendable {
    /// Recursive, since a callback may make Foundation report the next thing before it returns.
    private let turn = NSRecursiveLock()

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        turn.withLock(block)
    }

    override func addOperation(_ operation: Operation) {
        turn.withLock(operation.start)
    }
}
#endif
