import BrowseDomain
import Foundation
import Synchronization
import TestLimits
import Testing

@testable import BrowseData

@Suite(.bounded) struct `Memory for images` {
    private func repository(_ center: NotificationCenter = NotificationCenter()) -> RemoteImageRepository {
        RemoteImageRepository(
            transport: ImageTransport(),
            folder: nil,
            userAgent: "Tests",
            notificationCenter: center
        )
    }

    @Test(arguments: [
        "UIApplicationDidEnterBackgroundNotification", "UIApplicationDidReceiveMemoryWarningNotification",
        "WKApplicationDidEnterBackgroundNotification", "NSExtensionHostDidEnterBackgroundNotification",
    ])
    func `is released at each memory warning`(name: String) async throws {
        let center = NotificationCenter()
        let images = repository(center)
        for _ in 0..<2 {
            _ = try await images.image(for: .example("a"))
            center.post(name: Notification.Name("UIApplicationWillEnterForegroundNotification"), object: nil)
            #expect(images.cachedImage(for: .example("a")) != nil)
            center.post(name: Notification.Name(name), object: nil)
            #expect(images.cachedImage(for: .example("a")) == nil)
        }
    }

    @Test func `isn't retained by the notification center`() async throws {
        let center = NotificationCenter()
        weak var images: RemoteImageRepository?
        do {
            let repository = repository(center)
            _ = try await repository.image(for: .example("a"))
            images = repository
        }
        #expect(images == nil)
        center.post(name: Notification.Name("UIApplicationDidEnterBackgroundNotification"), object: nil)
    }

    @Test func `is less on watches, in app extensions, and on small devices`() {
        func megabytes(_ memory: UInt64, isWatch: Bool = false, _ bundle: String = "/App.app") -> Double {
            let bytes = ImageLimits.memoryBytes(
                physicalMemory: memory,
                isWatch: isWatch,
                bundle: URL(filePath: bundle, directoryHint: .isDirectory)
            )
            return Double(bytes) / Double(1 << 20)
        }
        #expect(megabytes(16 << 30) == 64)
        #expect(megabytes(3 << 30) == 48)
        #expect(megabytes(512 << 20) == 16)
        #expect(megabytes(1 << 30, isWatch: true) == 8)
        #expect(megabytes(8 << 30, "/App.app/PlugIns/Widget.appex") == 4)
        #expect(megabytes(1 << 30, isWatch: true, "/App.app/PlugIns/Widget.appex") == 4)
        #expect(megabytes(.max) == 64)
        #expect(ImageLimits().memoryBytes == ImageLimits.defaultMemoryBytes)
    }
}
