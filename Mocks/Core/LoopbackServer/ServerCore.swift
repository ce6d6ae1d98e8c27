import Dispatch
import Synchronization

/// The part of the server its threads share; it owns every descriptor.
///
/// Descriptors are only closed, and only shut down from other threads, under the lock and while
/// they are still listed in the state, so that a descriptor number reused by the system is never
/// touched.
final class ServerCore: Sendable {
    enum Event {
        case requests
        case disconnects
    }

    private struct Waiter {
        var event: Event
        var count: Int
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var isStopped = false
        /// The listening socket and the pipe that wakes the accepting thread, until that thread
        /// closes them.
        var listener: Int32?
        var pipe: Socket.Pipe?
        var sockets: [Int: Int32] = [:]
        var threads: Set<UInt> = []
        var accepted = 0
        var requests: [LoopbackServer.Request] = []
        var disconnects = 0
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0

        func isReached(_ event: Event, _ count: Int) -> Bool {
            switch event {
            case .requests: isStopped || requests.count >= count
            case .disconnects: isStopped || disconnects >= count
            }
        }

        mutating func takeReadyWaiters() -> [CheckedContinuation<Void, Never>] {
            let ready = waiters.filter { isReached($0.value.event, $0.value.count) }
            for id in ready.keys {
                waiters[id] = nil
            }
            return ready.values.map(\.continuation)
        }
    }

    let usesIPv6: Bool
    let port: UInt16
    let respond: @Sendable (LoopbackServer.Request) -> LoopbackResponse
    private let isRecording: Bool
    private let listener: Int32
    private let pipe: Socket.Pipe
    private let state: Mutex<State>
    private let running = DispatchGroup()

    init(
        usesIPv6: Bool,
        isRecording: Bool,
        respond: @escaping @Sendable (LoopbackServer.Request) -> LoopbackResponse
    ) throws(LoopbackServer.Failure) {
        self.usesIPv6 = usesIPv6
        self.isRecording = isRecording
        self.respond = respond
        pipe = try Socket.makePipe()
        do {
            (listener, port) = try Socket.makeListener(usesIPv6: usesIPv6)
        } catch {
            Socket.closePipe(pipe)
            throw error
        }
        state = Mutex(State(listener: listener, pipe: pipe))
    }

    var requests: [LoopbackServer.Request] { state.withLock { $0.requests } }

    var openConnections: Int { state.withLock { $0.sockets.count } }

    // MARK: Threads

    /// Starts accepting connections.
    func start() throws(LoopbackServer.Failure) {
        try spawn { [self] in
            acceptConnections()
            discard()
        }
    }

    /// Closes the listener and the pipe that wakes the accepting thread.
    func discard() {
        state.withLock { state in
            if let listener = state.listener { Socket.closeFile(listener) }
            if let pipe = state.pipe { Socket.closePipe(pipe) }
            state.listener = nil
            state.pipe = nil
        }
    }

    private func spawn(_ body: @escaping @Sendable () -> Void) throws(LoopbackServer.Failure) {
        running.enter()
        do {
            try startThread { [self] in
                let thread = currentThreadID()
                state.withLock { _ = $0.threads.insert(thread) }
                body()
                state.withLock { _ = $0.threads.remove(thread) }
                running.leave()
            }
        } catch {
            running.leave()
            throw error
        }
    }

    private func acceptConnections() {
        var ready = Socket.waitForInput(listener, pipe.reader)
        while !ready.second {
            switch Socket.acceptOne(listener) {
            case .connection(let socket): serve(socket)
            case .nothing: break
            case .exhausted:
                // No descriptor is free: let connections end before trying again, but stay open to
                // stop().
                if Socket.waitForInput(pipe.reader, milliseconds: 20).first { return }
            case .failed: return
            }
            ready = Socket.waitForInput(listener, pipe.reader)
        }
    }

    private func serve(_ socket: Int32) {
        let index = state.withLock { state -> Int? in
            guard !state.isStopped else {
                Socket.closeFile(socket)
                return nil
            }
            defer { state.accepted += 1 }
            state.sockets[state.accepted] = socket
            return state.accepted
        }
        guard let index else { return }
        do {
            try spawn { [self] in
                var connection = Connection(core: self, index: index, socket: socket)
                finish(index, connection.run())
            }
        } catch {
            finish(index, .reset)
        }
    }

    // MARK: Events

    func record(_ request: LoopbackServer.Request) {
        guard isRecording else { return }
        let ready = state.withLock { state in
            state.requests.append(request)
            return state.takeReadyWaiters()
        }
        for continuation in ready {
            continuation.resume()
        }
    }

    private func finish(_ index: Int, _ end: ConnectionEnd) {
        let ready = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard let socket = state.sockets.removeValue(forKey: index) else { return [] }
            switch end {
            case .peer: if !state.isStopped { state.disconnects += 1 }
            case .reset: Socket.armReset(socket)
            case .orderly, .refused: Socket.finishSending(socket)
            }
            Socket.closeFile(socket)
            return state.takeReadyWaiters()
        }
        for continuation in ready {
            continuation.resume()
        }
    }

    func stop() {
        let (ready, isOwnThread) = state.withLock { state in
            if !state.isStopped {
                state.isStopped = true
                if let pipe = state.pipe { Socket.signal(pipe) }
                for socket in state.sockets.values {
                    Socket.shutDown(socket)
                }
            }
            return (state.takeReadyWaiters(), state.threads.contains(currentThreadID()))
        }
        for continuation in ready {
            continuation.resume()
        }
        if !isOwnThread {
            running.wait()
        }
    }

    func wait(for event: Event, count: Int) async {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                // A task is marked canceled before its handler runs, so either this sees the mark
                // or the handler sees the waiter.
                let isDone = state.withLock { state in
                    if Task.isCancelled || state.isReached(event, count) { return true }
                    state.waiters[id] = Waiter(event: event, count: count, continuation: continuation)
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
        }
    }
}
