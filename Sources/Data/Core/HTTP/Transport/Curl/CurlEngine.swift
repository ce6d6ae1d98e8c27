#if canImport(Glibc) && canImport(CBrowseCurl)
import BrowseDomain
import CBrowseCurl
import Foundation
import Glibc
import Synchronization

/// Starts a loop when there is work, and passes commands to it.
///
/// One loop takes new requests. Retired loops finish those that they have.
final class CurlEngine: Sendable {
    enum Command {
        case start(CurlHop)
        case cancel(PendingCall)
    }

    /// A loop, and the commands that it hasn't taken.
    private struct Mailbox {
        /// The descriptor that wakes the loop, and identifies it.
        let wakeup: Int32
        var commands: [Command] = []
        var isRetired = false

        mutating func append(_ command: Command) {
            commands.append(command)
            // A loop with pending commands is awake.
            if commands.count == 1 { browse_event_signal(wakeup) }
        }
    }

    private struct State {
        /// The running loops; all except the last are retired.
        var mailboxes: [Mailbox] = []
        var isClosed = false

        func index(of wakeup: Int32) -> Int? { mailboxes.firstIndex { $0.wakeup == wakeup } }
    }

    /// The maximum number of loops: requests with long time limits can't retain more.
    private static let maxLoops = 4

    let options: CurlOptions
    private let state = Mutex(State())

    init(options: CurlOptions) {
        self.options = options
    }

    func start(_ hop: CurlHop) {
        let result = state.withLock { state -> Result<Int32?, CurlThread.Failure> in
            if let last = state.mailboxes.indices.last, !state.mailboxes[last].isRetired {
                state.mailboxes[last].append(.start(hop))
                return .success(nil)
            }
            let wakeup = browse_event_open()
            // Nothing waits for a loop that isn't registered, and the next call may start one.
            guard wakeup >= 0 else { return .failure(CurlThread.Failure(code: errno)) }
            state.mailboxes.append(Mailbox(wakeup: wakeup, commands: [.start(hop)]))
            return .success(wakeup)
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
                    return failAll(of: wakeup, with: CurlThread.Failure(code: ENOMEM))
                }
                loop.run()
            }
        } catch {
            failAll(of: wakeup, with: error)
        }
    }

    /// Cancels the hop in flight of a call that has failed.
    func cancel(_ call: PendingCall) {
        state.withLock { state in
            // Only one of the loops has it. Without a loop, nothing is in flight.
            for index in state.mailboxes.indices { state.mailboxes[index].append(.cancel(call)) }
        }
    }

    /// Ends the loops when nothing is in flight.
    func close() {
        state.withLock { state in
            state.isClosed = true
            for mailbox in state.mailboxes { browse_event_signal(mailbox.wakeup) }
        }
    }

    /// Closes the descriptor of a loop that couldn't start, and fails the requests that wait for it.
    private func failAll(of wakeup: Int32, with failure: CurlThread.Failure) {
        let commands = state.withLock { state -> [Command] in
            guard let index = state.index(of: wakeup) else { return [] }
            Glibc.close(wakeup)
            return state.mailboxes.remove(at: index).commands
        }
        for case .start(let hop) in commands { Self.fail(hop, with: failure) }
    }

    private static func fail(_ hop: CurlHop, with failure: CurlThread.Failure) {
        let detail = "no thread: \(String(cString: strerror(failure.code)))"
        hop.call.finish(with: .failure(.transferFailure(.cannotConnectToHost, detail, hop.request.info)))
    }

    // MARK: For the loops

    /// Moves all commands of a loop into an empty array.
    func takeCommands(of wakeup: Int32, into commands: inout [Command]) {
        state.withLock { state in
            if let index = state.index(of: wakeup) { swap(&state.mailboxes[index].commands, &commands) }
        }
    }

    /// Whether the transport was released.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Retires a loop, so that the next request starts another; returns `false` if there are too many.
    func retire(_ wakeup: Int32) -> Bool {
        state.withLock { state in
            guard state.mailboxes.count < Self.maxLoops, let index = state.index(of: wakeup) else { return false }
            state.mailboxes[index].isRetired = true
            return true
        }
    }

    /// Unregisters a loop unless it has new commands; the next request starts another.
    func stopIfIdle(_ wakeup: Int32) -> Bool {
        state.withLock { state in
            guard let index = state.index(of: wakeup), state.mailboxes[index].commands.isEmpty else { return false }
            state.mailboxes.remove(at: index)
            return true
        }
    }
}
#endif
