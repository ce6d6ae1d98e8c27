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
    private let openDescriptor: @Sendable () -> Int32
    private let state = Mutex(State())

    /// Opens a descriptor that wakes a loop; returns a negative number and sets `errno` if that fails.
    @Sendable static func openDescriptor() -> Int32 { browse_event_open() }

    /// Creates an engine; tests can replace ``openDescriptor()``.
    init(options: CurlOptions, openDescriptor: @escaping @Sendable () -> Int32 = CurlEngine.openDescriptor) {
        self.options = options
        self.openDescriptor = openDescriptor
    }

    func start(_ hop: CurlHop) {
        let result = state.withLock { state -> Result<Int32?, CurlThread.Failure> in
            if state.wakeup == nil {
                let wakeup = openDescriptor()
                // Without a loop there are no other commands, and the next call may start one.
                guard wakeup >= 0 else { return .failure(CurlThread.Failure(code: errno)) }
                state.wakeup = wakeup
                state.commands.append(.start(hop))
                return .success(wakeup)
            }
            state.commands.append(.start(hop))
            Self.wakeIfNeeded(state)
            return .success(nil)
        }
        switch result {
        case .success(let wakeup?): startLoop(wakeup: wakeup)
        case .success(nil): break
        case .failure(let failure): Self.fail(hop, with: failure)
        }
    }

    /// Starts the loop of a registered descriptor.
    private func startLoop(wakeup: Int32) {
        do throws(CurlThread.Failure) {
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

    /// Closes the descriptor of a loop that couldn't start, and fails the requests that wait for it.
    private func failAll(_ failure: CurlThread.Failure) {
        let commands = state.withLock { state in
            if let wakeup = state.wakeup.take() { Glibc.close(wakeup) }
            defer { state.commands = [] }
            return state.commands
        }
        for case .start(let hop) in commands { Self.fail(hop, with: failure) }
    }

    private static func fail(_ hop: CurlHop, with failure: CurlThread.Failure) {
        let detail = "no thread: \(String(cString: strerror(failure.code)))"
        let code = URLError.Code.cannotConnectToHost.rawValue
        hop.call.finish(with: .failure(.unreachable(.other(code: code, detail: detail), hop.request.info)))
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
