import Dispatch
import Foundation
import Synchronization

/// Calls a closure under memory pressure, and when the app enters the background.
///
/// It observes notifications by name, so that the SDK imports no UI framework, and Dispatch's memory-pressure source on Apple
/// platforms. Linux has neither.
final class MemoryWarnings: Sendable {
    private let center: NotificationCenter
    private let observers = Mutex<[any NSObjectProtocol]>([])
    #if canImport(Darwin)
    private let pressure = Mutex<(any DispatchSourceMemoryPressure)?>(nil)
    #endif

    /// UIKit posts the first two, WatchKit the third, and Foundation the last one, to app extensions.
    static let names: [Notification.Name] = [
        Notification.Name("UIApplicationDidEnterBackgroundNotification"),
        Notification.Name("UIApplicationDidReceiveMemoryWarningNotification"),
        Notification.Name("WKApplicationDidEnterBackgroundNotification"),
        Notification.Name("NSExtensionHostDidEnterBackgroundNotification"),
    ]

    /// Starts observing.
    ///
    /// - Parameters:
    ///   - center: Posts the notifications.
    ///   - release: Called on the posting thread, or on a queue.
    init(from center: NotificationCenter, release: @escaping @Sendable () -> Void) {
        self.center = center
        observers.withLock { observers in
            observers = Self.names.map { center.addObserver(forName: $0, object: nil, queue: nil) { _ in release() } }
        }
        #if canImport(Darwin)
        // The source isn't Sendable, so it is created where it is stored: nothing else can refer to it.
        pressure.withLock { pressure in
            let source = DispatchSource.makeMemoryPressureSource(eventMask: [.warning, .critical], queue: .global())
            source.setEventHandler { release() }
            source.activate()
            pressure = source
        }
        #endif
    }

    deinit {
        observers.withLock { for observer in $0 { center.removeObserver(observer) } }
        #if canImport(Darwin)
        pressure.withLock { $0?.cancel() }
        #endif
    }
}
