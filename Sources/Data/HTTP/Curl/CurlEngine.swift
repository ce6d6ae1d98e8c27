#if canImport(Glibc) && canImport(CBrowseCurl)
import BrowseDomain
import CBrowseCurl
import Foundation
import Glibc
import Synchronization

/// Starts a loop when there is work, and passes commands to it.
final class CurlEngine: Sendable {
    enum Command {
        case start(CurlHop)
        case cancel(CurlCall)
    }

    private struct State {
        var commands: [Command] = []
        /// The descriptor that wakes the loop; `nil` if none is running.
        var wakeup: Int32?
        var isClosed = false
    }

    let options: CurlOptions
    private let state = Mutex(State())

    init(options: CurlOptions) {
        self.options = options
    }

    func start(_ hop: CurlHop) {
        let result = state.withLock { state -> Result<Int32?, CurlThread.Failure> in
            state.commands.append(.start(hop))
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

    /// Cancels the hop in flight of a call that has failed.
    func cancel(_ call: CurlCall) {
        state.withLock { state in
            // Without a loop, nothing is in flight.
            guard state.wakeup != nil else { return }
            state.commands.append(.cancel(call))
            Self.wakeIfNeeded(state)
        }
    }

    /// Ends the loop when nothing is in flight.
    func close() {
        state.withLock { state in
            state.isClosed = true
            if let wakeup = state.wakeup { browse_event_signal(wakeup) }
        }
    }

    private static func wakeIfNeeded(_ state: State) {
        // A loop with pending commands is awake.
        if state.commands.count == 1, let wakeup = state.wakeup { browse_event_signal(wakeup) }
    }

    private func failAll(_ failure: CurlThread.Failure) {
        let commands = state.withLock { state in
            if let wakeup = state.wakeup.take() { Glibc.close(wakeup) }
            defer { state.commands = [] }
            return state.commands
        }
        for case .start(let hop) in commands {
            let detail = "no thread: \(String(cString: strerror(failure.code)))"
            let code = URLError.Code.cannotConnectToHost.rawValue
            hop.call.finish(with: .failure(.unreachable(.other(code: code, detail: detail), hop.request.info)))
        }
    }

    // MARK: For the loop

    /// Moves all commands into an empty array.
    func takeCommands(into commands: inout [Command]) {
        state.withLock { swap(&$0.commands, &commands) }
    }

    /// Whether the transport was released.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Unregisters the loop unless there are new commands; the next request starts another.
    func stopIfIdle() -> Bool {
        state.withLock { state in
            guard state.commands.isEmpty else { return false }
            state.wakeup = nil
            return true
        }
    }
}
#endif
