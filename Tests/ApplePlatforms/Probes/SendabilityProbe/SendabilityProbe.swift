import Dispatch
import Synchronization

/// Stores a non-Sendable event source that may have other references.
final class SendabilityProbe: Sendable {
    private let pressure = Mutex<(any DispatchSourceMemoryPressure)?>(nil)

    init() {
        let source = DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical], queue: .global())
        source.setEventHandler { [weak self] in _ = self }
        source.activate()
        pressure.withLock { $0 = source }
    }
}
