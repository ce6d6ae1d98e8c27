import Synchronization

/// A gate that a test opens once to let every waiting connection go on.
public final class LoopbackGate: Sendable {
    private struct State {
        var isOpen = false
        var waiters = 0
        var pipe: Socket.Pipe?
    }

    private let state = Mutex(State())

    /// Creates a closed gate.
    public init() {}

    /// Opens the gate for good.
    ///
    /// Calling it again does nothing more.
    public func open() {
        state.withLock { state in
            guard !state.isOpen else { return }
            state.isOpen = true
            if let pipe = state.pipe {
                Socket.signal(pipe)
            }
        }
    }

    /// Registers a waiter and returns a descriptor that becomes readable when the gate opens.
    ///
    /// Returns nil, registering nothing, when the gate is open already. The descriptor stays valid until the
    /// matching ``leave()``: the pipe exists only while someone waits, so a gate at rest holds no descriptor.
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

    /// Ends the wait begun with a call of ``enter()`` that returned a descriptor.
    func leave() {
        state.withLock { state in
            state.waiters -= 1
            guard state.waiters == 0, let pipe = state.pipe else { return }
            state.pipe = nil
            Socket.closePipe(pipe)
        }
    }
}
