import Dispatch

/// Detects whether code runs on the main actor.
///
/// `Thread.isMainThread` doesn't work: on Linux, the test process exits its main thread, and the main queue uses another one.
public enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether this code runs on the main actor.
    public static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
