import Synchronization

/// A gate that a test opens once to resume all waiting connections.
public final class LoopbackGate: Sendable {
    private struct State {
        var isOpen = false
        var waiters = 0
        var pipe: Socket.Pipe?
    }

    private let state = Mutex(State())

    /// Creates a closed gate.
    public init() {}

    /// Opens the gate permanently; calling it again has no effect.
    public func open() {
        state.withLock { state in
            guard !state.isOpen else { return }
            state.isOpen = true
            if let pipe = state.pipe {
                Socket.signal(pipe)
            }
        }
    }

    /// Registers a waiter, and returns a descriptor that becomes readable when the gate opens.
    ///
    /// Returns `nil`, without registering a waiter, if the gate is open. The descriptor is valid
    /// until the matching ``leave()``: a gate without waiters has no pipe.
    func enter() throws(LoopbackServer.Failure) -> Int32? {
        try state.withLock { (state) throws(LoopbackServer.Failure) -> Int32? in
            guard !state.isOpen else { return nil }
            let pipe =
                if let existing = state.pipe { existing } else { try Socket.makePipe() }
            state.pipe = pipe
            state.waiters += 1
            return pipe.reader
        }
    }

    /// Unregisters a waiter; balances a call of ``enter()`` that returned a descriptor.
    func leave() {
        state.withLock { state in
            state.waiters -= 1
            guard state.waiters == 0, let pipe = state.pipe else { return }
            state.pipe = nil
            Socket.closePipe(pipe)
        }
    }
}
