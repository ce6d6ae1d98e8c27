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
        case cancel(PendingResponse)
    }

    private struct State {
        /// The descriptor that wakes the running loop; `nil` without one.
        var wakeup: Int32?
        /// The commands that the loop hasn't taken.
        var commands: [Command] = []
        var isClosed = false

        mutating func append(_ command: Command) {
            guard let wakeup else { return }
            commands.append(command)
            // A loop with pending commands is awake.
            if commands.count == 1 { browse_event_signal(wakeup) }
        }
    }

    let options: CurlOptions
    private let state = Mutex(State())

    init(options: CurlOptions) {
        self.options = options
    }

    func start(_ hop: CurlHop) {
        let (wakeup, code) = state.withLock { state -> (Int32?, code: Int32) in
            guard state.wakeup == nil else {
                state.append(.start(hop))
                return (nil, 0)
            }
            let wakeup = browse_event_open()
            // Nothing waits for a loop that isn't registered, and the next call may start one.
            guard wakeup >= 0 else { return (nil, errno) }
            state.wakeup = wakeup
            state.commands = [.start(hop)]
            return (wakeup, startThread())
        }
        guard code != 0 else { return }
        if let wakeup { failAll(of: wakeup, with: code) } else { Self.fail(hop, with: code) }
    }

    /// Runs the loop of the registered descriptor, on its thread.
    private func runLoop() {
        guard let wakeup = state.withLock(\.wakeup) else { return }
        guard let loop = CurlLoop(engine: self, wakeup: wakeup) else { return failAll(of: wakeup, with: ENOMEM) }
        loop.run()
    }

    /// Runs the loop on a new thread with all signals blocked.
    ///
    /// The process's signals are delivered to other threads, and a write to a closed connection
    /// doesn't raise SIGPIPE.
    ///
    /// - Returns: 0, or the number of the error if there is no thread.
    private func startThread() -> Int32 {
        var all = sigset_t()
        var previous = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }

        let retained = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            nil,
            { raw in
                browse_name_thread("BrowseKit.curl")
                if let raw { Unmanaged<CurlEngine>.fromOpaque(raw).takeRetainedValue().runLoop() }
                return nil
            },
            retained.toOpaque()
        )
        if code == 0 { pthread_detach(thread) } else { retained.release() }
        return code
    }

    /// Cancels a request in flight whose response is resolved.
    func cancel(_ response: PendingResponse) {
        // Without a loop, nothing is in flight.
        state.withLock { $0.append(.cancel(response)) }
    }

    /// Ends the loop when nothing is in flight.
    func close() {
        state.withLock { state in
            state.isClosed = true
            if let wakeup = state.wakeup { browse_event_signal(wakeup) }
        }
    }

    /// Closes the descriptor of a loop that couldn't start, and fails the requests that wait for
    /// it.
    private func failAll(of wakeup: Int32, with code: Int32) {
        let commands = state.withLock { state -> [Command] in
            Glibc.close(wakeup)
            defer { (state.wakeup, state.commands) = (nil, []) }
            return state.commands
        }
        for case .start(let hop) in commands { Self.fail(hop, with: code) }
    }

    private static func fail(_ hop: CurlHop, with code: Int32) {
        let detail = "no thread: \(String(cString: strerror(code)))"
        hop.response.resolve(.failure(.transferFailure(.cannotConnectToHost, detail: detail, of: hop.request.info)))
    }

    // MARK: For the loop

    /// Moves all commands into an empty array.
    func takeCommands(into commands: inout [Command]) { state.withLock { swap(&$0.commands, &commands) } }

    /// Whether the transport was released.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Unregisters the loop unless it has new commands; the next request starts another.
    func stopIfIdle() -> Bool {
        state.withLock { state in
            guard state.commands.isEmpty else { return false }
            state.wakeup = nil
            return true
        }
    }
}
#endif
