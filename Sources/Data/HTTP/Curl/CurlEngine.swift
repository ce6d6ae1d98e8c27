#if canImport(Glibc) && canImport(CBrowseCurl)
import BrowseDomain
import CBrowseCurl
import Foundation
import Glibc
import Synchronization

/// Starts a loop when there is work, and passes orders to it.
final class CurlEngine: Sendable {
    enum Order {
        case start(CurlHop)
        /// Gives up the hop in flight of a call that has failed.
        case cancel(CurlCall)
    }

    private struct State {
        var orders: [Order] = []
        /// The event that wakes the loop; `nil` while none runs.
        var wakeup: Int32?
        var isClosed = false
    }

    let options: CurlOptions
    private let state = Mutex(State())

    init(options: CurlOptions) {
        self.options = options
    }

    /// Starts a hop; its call ends with the outcome.
    func start(_ hop: CurlHop) {
        let result = state.withLock { state -> Result<Int32?, CurlThread.Failure> in
            state.orders.append(.start(hop))
            guard state.wakeup == nil else {
                Self.wakeIfNeeded(state)
                return .success(nil)
            }
            let wakeup = browse_event_open()
            guard wakeup >= 0 else { return .failure(CurlThread.Failure(code: errno)) }
            state.wakeup = wakeup
            return .success(wakeup)
        }
        do throws(CurlThread.Failure) {
            guard let wakeup = try result.get() else { return }
            try CurlThread.start { [self] in
                guard let loop = CurlLoop(engine: self, wakeup: wakeup) else {
                    return failAll(CurlThread.Failure(code: ENOMEM))
                }
                loop.run()
            }
        } catch {
            failAll(error)
        }
    }

    /// Gives up the hop in flight of a call that has failed.
    func cancel(_ call: CurlCall) {
        state.withLock { state in
            // Without a loop, nothing is in flight.
            guard state.wakeup != nil else { return }
            state.orders.append(.cancel(call))
            Self.wakeIfNeeded(state)
        }
    }

    /// Ends the loop as soon as nothing is in flight.
    func close() {
        state.withLock { state in
            state.isClosed = true
            if let wakeup = state.wakeup { browse_event_signal(wakeup) }
        }
    }

    private static func wakeIfNeeded(_ state: State) {
        // A loop that has orders to take doesn't sleep.
        if state.orders.count == 1, let wakeup = state.wakeup { browse_event_signal(wakeup) }
    }

    private func failAll(_ failure: CurlThread.Failure) {
        let orders = state.withLock { state in
            if let wakeup = state.wakeup.take() { Glibc.close(wakeup) }
            defer { state.orders = [] }
            return state.orders
        }
        for case .start(let hop) in orders {
            let detail = "no thread: \(String(cString: strerror(failure.code)))"
            let code = URLError.Code.cannotConnectToHost.rawValue
            hop.call.finish(with: .failure(.unreachable(.other(code: code, detail: detail), hop.request.info)))
        }
    }

    // MARK: For the loop

    /// Moves all orders into an empty array.
    func takeOrders(into orders: inout [Order]) {
        state.withLock { swap(&$0.orders, &orders) }
    }

    /// Whether no more requests will come.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Forgets the running loop unless there are new orders; the next request starts another.
    func stopIfIdle() -> Bool {
        state.withLock { state in
            guard state.orders.isEmpty else { return false }
            state.wakeup = nil
            return true
        }
    }
}
#endif
