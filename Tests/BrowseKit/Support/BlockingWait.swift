import BrowseData
import Dispatch
import Foundation
import Synchronization

/// Waits for asynchronous work on a thread of the server.
final class BlockingWait: Sendable {
    private let box = Mutex<Result<HTTPClient.Response, URLError>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    func wait(
        for work: @escaping @Sendable () async -> Result<HTTPClient.Response, URLError>
    ) -> Result<HTTPClient.Response, URLError>? {
        Task {
            let result = await work()
            box.withLock { $0 = result }
            isDone.signal()
        }
        isDone.wait()
        return box.withLock { $0 }
    }
}
