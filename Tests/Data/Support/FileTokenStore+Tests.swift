@testable import BrowseData
import Foundation

extension FileTokenStore {
    /// Creates a store with a clock, an activity, and a queue of a test.
    init(
        folder: URL,
        name: SessionName,
        clock: any Clock<Duration>,
        activity: ExpiringActivity = .system,
        queue: QueueExecutor = .tokens
    ) {
        self.init(folder: folder, name: name)
        self.clock = clock
        self.activity = activity
        self.queue = queue
    }
}
