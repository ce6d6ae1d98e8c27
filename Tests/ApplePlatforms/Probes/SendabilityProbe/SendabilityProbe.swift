import Dispatch
import Synchronization

/// Stores a source of events that isn't Sendable, and that others may still refer to.
final class SendabilityProbe: Sendable {
    private let pressure = Mutex<(any DispatchSourceMemoryPressure)?>(nil)

    init() {
        let source = DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical], queue: .global())
        source.setEventHandler { [weak self] in _ = self }
        source.activate()
        pressure.withLock { $0 = source }
    }
}
