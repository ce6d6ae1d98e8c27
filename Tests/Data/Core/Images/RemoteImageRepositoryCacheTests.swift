import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

import BrowseData

@Suite(.bounded)
struct `Cached images` {
    private let time = TickingTime()
    private let folder = TemporaryFolder()
    private let offline = BrowseError.unreachable(.offline, .init(endpoint: "GET image"))

    private func repository(
        _ transport: any HTTPTransport,
        onDisk: Bool = true,
        limits: ImageLimits = ImageLimits()
    ) -> RemoteImageRepository {
        RemoteImageRepository(
            transport: transport,
            folder: onDisk ? folder.url : nil,
            limits: limits,
            userAgent: "Tests",
            options: .init { ($0.now, $0.clock) = (time.now, ImmediateClock()) }
        )
    }

    @Test func `are available synchronously, and requested once`() async throws {
        let transport = ImageTransport()
        let images = repository(transport, onDisk: false)
        #expect(images.cachedImage(for: .example("a")) == nil)
        #expect(try await images.provenance(of: .example("a")) == .fresh)
        let image = try await images.image(for: .example("a"))
        #expect(images.cachedImage(for: .example("a")) == image)
        guard case .stale = try await images.provenance(of: .example("a")) else {
            Issue.record("not cached")
            return
        }
        #expect(transport.count == 1)
    }

    @Test func `in memory stay within its limit until it's released`() async throws {
        let transport = ImageTransport(bytes: 10_000)
        let images = repository(transport, onDisk: false, limits: ImageLimits { $0.memoryBytes = 35_000 })
        for name in ["a", "b", "c"] { _ = try await images.image(for: .example(name)) }
        _ = images.cachedImage(for: .example("a"))
        _ = try await images.image(for: .example("d"))
        let cached = ["a", "b", "c", "d"].filter { images.cachedImage(for: .example($0)) != nil }
        #expect(cached == ["a", "c", "d"])
        images.releaseMemory()
        #expect(images.cachedImage(for: .example("a")) == nil)
    }

    @Test func `on disk survive a restart, and are then in memory`() async throws {
        _ = try await repository(ImageTransport()).image(for: .example("a"))
        let transport = ImageTransport(failure: offline)
        let images = repository(transport)
        let image = try await images.image(for: .example("a"))
        #expect(image.data == DrawnImage.png(for: "https://images.example/a", bytes: 0))
        #expect(image.size == PixelSize(width: 40, height: 40))
        #expect(images.cachedImage(for: .example("a")) == image)
        #expect(transport.count == 0)
    }

    @Test func `have a size on disk, and are removed from there and from memory`() async throws {
        let transport = ImageTransport(bytes: 10_000)
        let images = repository(transport)
        #expect(await images.byteCount() == 0)
        for name in ["a", "b"] { _ = try await images.image(for: .example(name)) }
        let size = await images.byteCount() ?? 0
        #expect((20_000..<24_000).contains(size))
        await images.removeAll()
        #expect(images.cachedImage(for: .example("a")) == nil)
        #expect(await images.byteCount() == 0)
        _ = try await images.image(for: .example("a"))
        #expect(transport.count == 3)
    }

    @Test func `are reported as stale for cacheOnly`() async throws {
        let transport = ImageTransport()
        _ = try await repository(transport).image(for: .example("a"))
        time.advance(by: .seconds(1_000_000))
        let images = repository(transport)
        guard case .stale = try await images.provenance(of: .example("a"), source: .cacheOnly) else {
            Issue.record("not cached")
            return
        }
        await #expect(throws: BrowseError.unreachable(.notCached, .init(endpoint: "GET image"))) {
            try await images.provenance(of: .example("b"), source: .cacheOnly)
        }
        #expect(transport.count == 1)
    }

    @Test func `are offline, like responses, if the client is`() async throws {
        _ = try await repository(ImageTransport()).image(for: .example("a"))
        let images = RemoteImageRepository(
            transport: ImageTransport(failure: offline),
            folder: folder.url,
            userAgent: "Tests",
            options: .init {
                $0.isOffline = true
                ($0.now, $0.clock) = (time.now, ImmediateClock())
            }
        )
        // From disk, then from memory.
        for _ in 0..<2 {
            guard case .offline = try await images.provenance(of: .example("a")) else {
                Issue.record("not offline")
                return
            }
        }
    }

    @Test(arguments: [true, false])
    func `are requested again when they expire, and returned if that fails`(onDisk: Bool) async throws {
        let transport = HeldTransport()
        let images = repository(
            transport,
            onDisk: onDisk,
            limits: ImageLimits { ($0.lifetime, $0.failureLifetime) = (.seconds(100), .seconds(50)) }
        )
        func load() async throws -> Provenance { try await images.provenance(of: .example("a")) }
        transport.responses.answer(1, with: .failure(offline))
        transport.responses.answer(2, with: .failure(.notFound(.init(endpoint: "GET image"))))
        async let first = load()
        await transport.responses.waitForRequests(1)
        transport.answer(0)
        #expect(try await first == .fresh)

        time.advance(by: .seconds(100))
        #expect(images.cachedImage(for: .example("a")) == nil)
        if onDisk { images.releaseMemory() }
        guard case .offline = try await load() else {
            Issue.record("not shown")
            return
        }
        #expect(transport.names.count == 2)

        // The next load asks again. A 404 removes the image.
        for _ in 0..<2 {
            await #expect(throws: BrowseError.notFound(.init(endpoint: "GET image"))) { try await load() }
            #expect(await images.storedImage(for: .example("a")) == nil)
        }
        #expect(transport.names.count == 3)
    }

    @Test(arguments: [true, false])
    func `are confirmed by their ETag when they expire, and replaced if they changed`(onDisk: Bool) async throws {
        let version = Mutex(1)
        let server = try LoopbackServer { request in
            let version = version.withLock(\.self)
            let headers = [("ETag", "\"\(version)\""), ("Cache-Control", "max-age=0")]
            let isConfirmed = request.header("If-None-Match") == "\"\(version)\""
            return isConfirmed
                ? LoopbackResponse(status: 304, headers: headers)
                : LoopbackResponse(headers: headers, body: Array(DrawnImage.png(for: "\(version)")))
        }
        func repository() -> RemoteImageRepository {
            .loopback(
                folder: onDisk ? folder.url : nil,
                limits: ImageLimits { $0.lifetime = .seconds(100) },
                options: .init { ($0.now, $0.clock) = (time.now, ImmediateClock()) }
            )
        }
        let request = ImageRequest(server.origin)
        var images = repository()
        #expect(try await images.provenance(of: request) == .fresh)
        // Twice, since a confirmation begins another lifetime.
        for count in 2...3 {
            time.advance(by: .seconds(100))
            if onDisk { images = repository() }
            #expect(images.cachedImage(for: request) == nil)
            #expect(await images.storedImage(for: request)?.data == DrawnImage.png(for: "1"))
            #expect(try await images.provenance(of: request) == .revalidated)
            #expect(images.cachedImage(for: request)?.data == DrawnImage.png(for: "1"))
            #expect(server.requests.count == count)
        }
        version.withLock { $0 = 2 }
        #expect(try await images.image(for: request).data == DrawnImage.png(for: "1"))
        await images.invalidate(request)
        #expect(images.cachedImage(for: request) == nil)
        #expect(await images.storedImage(for: request)?.data == DrawnImage.png(for: "1"))
        #expect(try await images.image(for: request).data == DrawnImage.png(for: "2"))
        #expect(server.requests.count == 4)
    }

    @Test func `are requested again if they are invalid, even without memory`() async throws {
        let transport = ImageTransport()
        let images = repository(transport, limits: ImageLimits { $0.memoryBytes = 0 })
        for count in 1...2 {
            for _ in 0..<2 { _ = try await images.image(for: .example("a")) }
            #expect(transport.count == count)
            await images.invalidate(.example("a"))
        }
    }

    @Test func `don't need a writable disk`() async throws {
        let transport = ImageTransport()
        let images = RemoteImageRepository(
            transport: transport,
            folder: URL(filePath: "/dev/null/images"),
            userAgent: "Tests",
            options: .init { ($0.now, $0.clock) = (time.now, ImmediateClock()) }
        )
        for _ in 0..<2 { _ = try await images.image(for: .example("a")) }
        #expect(transport.count == 1)
    }
}
