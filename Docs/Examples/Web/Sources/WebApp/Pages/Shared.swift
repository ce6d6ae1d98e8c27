import Synchronization

/// A value that copies of a screen share.
final class Shared<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    var value: Value {
        get { state.withLock(\.self) }
        set { state.withLock { $0 = newValue } }
    }

    /// Changes the value in one step.
    func change(_ change: (inout Value) -> Void) { state.withLock { change(&$0) } }
}
