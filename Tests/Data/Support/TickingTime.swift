import Foundation
import Synchronization

/// A time that advances by one second at each read.
final class TickingTime: Sendable {
    private let seconds = Mutex(0.0)

    var now: @Sendable () -> Date {
        { [self] in
            seconds.withLock { seconds in
                seconds += 1
                return testNow + seconds
            }
        }
    }

    func advance(by duration: Duration) {
        seconds.withLock { $0 += duration / .seconds(1) }
    }
}
