import BrowseDomain
import BrowseKit
import BrowseMocks
import BrowsePresentation
import Dispatch
import Foundation
import TestLimits
import Testing

@testable import BrowseData

@MainActor @Suite(.bounded)
struct `A screen over a disk that hangs` {
    /// On the main actor, which a blocked thread would stop.
    @Test func `shows an image, replaces one that can't be decoded, and loads another one again`() async throws {
        let (clock, semaphore) = (TestClock(), DispatchSemaphore(value: 0))
        let folder = FileManager.default.temporaryDirectory.appending(path: "hanging-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = Container(
            Configuration().with {
                $0.storageFolder = folder
                $0.clock = clock
            }
        )
        container.transport.override { _ in
            StubTransport { request throws(BrowseError) in
                HTTPClient.Response(status: 200, body: DrawnImage.png(for: request.url.path()), url: request.url)
            }
        }
        let images = try #require(container.imageRepository() as? RemoteImageRepository)
        let queue = try #require(images.files).queue
        queue.handOver { semaphore.wait() }
        let request = ImageRequest(WebAddress(rawValue: "https://images.example/a"))
        let model = container.remoteImageViewModel()
        let show = Task { await model.show(request) }
        await clock.waitForSleepersAndTimeLimits(1)
        await clock.advance(by: .milliseconds(100))
        await show.value
        guard case .loaded(let image) = model.state else {
            Issue.record("\(model.state)")
            return
        }
        // The time stands still, and the disk still hangs.
        await model.reload()
        #expect(model.state == .loaded(image))
        await model.decodingFailed()
        #expect(model.state != .loaded(image))
        await model.retry()
        #expect(model.state == .loaded(image))
        semaphore.signal()
        await queue.run(within: .seconds(1000)) {}
        #expect(images.cachedImage(for: request) == image)
    }
}
