import Dispatch

/// Tells whether code runs on the main actor.
///
/// `Thread.isMainThread` does not: on Linux the process of the tests gives its main thread up, and the main queue goes on
/// another one.
public enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether this code runs on the main actor.
    public static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
