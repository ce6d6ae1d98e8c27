import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

import BrowseData

@Suite(.bounded)
struct `An image load` {
    private let time = TickingTime()

    private func repository(
        _ transport: any HTTPTransport,
        limits: ImageLimits = ImageLimits(),
        observers: [any HTTPObserver] = []
    ) -> RemoteImageRepository {
        RemoteImageRepository(
            transport: transport,
            folder: nil,
            limits: limits,
            userAgent: "Tests",
            options: .init {
                $0.observers = observers
                $0.now = time.now
            }
        )
    }

    @Test func `sends no cookies and no token, and accepts no content encoding`() async throws {
        let server = try LoopbackServer { request in
            LoopbackResponse(headers: [("Set-Cookie", "id=1")], body: Array(DrawnImage.png(for: request.target)))
        }
        let images = RemoteImageRepository.loopback()
        for name in ["a", "b"] { _ = try await images.image(for: ImageRequest("\(server.origin)/\(name)")) }
        for request in server.requests {
            #expect(request.header("Cookie") == nil)
            #expect(request.header("Authorization") == nil)
            #expect(request.header("User-Agent") == "Tests")
            #expect(request.header("Accept-Encoding") == "identity")
            #expect(request.header("Accept")?.contains("image/webp") == true)
        }
        #expect(server.requests.count == 2)
    }

    @Test func `is one request for concurrent callers`() async throws {
        let transport = HeldTransport()
        // Without memory, so that only deduplication helps.
        let joined = EventCounter("joined")
        let images = repository(transport, limits: ImageLimits { $0.memoryBytes = 0 }, observers: [joined])
        let loaded = await withTaskGroup(of: EncodedImage?.self) { group in
            for _ in 0..<30 { group.addTask { try? await images.image(for: .example("one")) } }
            await joined.wait(for: 29)
            await transport.responses.waitForRequests(1)
            transport.answer(0)
            return await group.reduce(into: Set<EncodedImage?>()) { $0.insert($1) }
        }
        #expect(loaded.count == 1 && !loaded.contains(nil))
        #expect(transport.names == ["one"])
    }

    @Test func `is one request for concurrent callers even if it fails`() async throws {
        let server = try LoopbackServer { _ in LoopbackResponse(status: 404) }
        let images = RemoteImageRepository.loopback()
        let request = ImageRequest(server.origin)
        let failures = await withTaskGroup(of: BrowseError?.self) { group in
            for _ in 0..<30 {
                group.addTask { await thrown { () throws(BrowseError) in try await images.image(for: request) } }
            }
            return await group.reduce(into: 0) { count, error in
                if case .notFound = error { count += 1 }
            }
        }
        #expect(failures == 30)
        #expect(server.requests.count == 1)
    }

    @Test func `can have any size, and is reported to observers`() async throws {
        let server = try LoopbackServer { request in .image(DrawnImage.png(for: request.target)) }
        let (folder, events) = (TemporaryFolder(), Events())
        func images() -> RemoteImageRepository {
            .loopback(
                folder: folder.url,
                limits: ImageLimits { $0.request = HTTPLimits(bodyBytes: .max) },
                options: .init { ($0.observers, $0.clock) = ([events], ImmediateClock()) }
            )
        }
        let request = ImageRequest("\(server.origin)/a")
        let first = try await images().image(for: request)
        #expect(events.names == ["began", "sent", "200", "ended"])
        #expect(try await images().image(for: request) == first)
        #expect(events.names.suffix(3) == ["began", "answered", "ended"])
    }

    @Test func `is repeated after the clock was ahead and is corrected`() async throws {
        let count = Mutex(0)
        let server = try LoopbackServer { request in
            count.withLock { $0 += 1 }
            return request.target == "/a" ? .image(DrawnImage.png(for: request.target)) : LoopbackResponse(status: 404)
        }
        let folder = TemporaryFolder()
        let date = Mutex(testNow + 365 * 86_400)
        let options = HTTPClient.Options { ($0.now, $0.clock) = ({ date.withLock { $0 } }, ImmediateClock()) }
        let images = RemoteImageRepository.loopback(folder: folder.url, options: options)
        let (request, missing) = (ImageRequest("\(server.origin)/a"), ImageRequest("\(server.origin)/b"))
        _ = try await images.image(for: request)
        #expect(await thrown { () throws(BrowseError) in try await images.image(for: missing) } != nil)
        #expect(count.withLock { $0 } == 2)
        date.withLock { $0 = testNow }
        #expect(images.cachedImage(for: request) == nil)
        _ = try await images.image(for: request)
        #expect(await thrown { () throws(BrowseError) in try await images.image(for: missing) } != nil)
        #expect(count.withLock { $0 } == 4)
        #expect(images.cachedImage(for: request) != nil)
    }

    @Test func `doesn't wait for one of the same image whose signature has expired, and is refused`() async throws {
        let transport = HeldTransport()
        let images = repository(transport)
        let loads = ["old", "new"].map { signature in
            images.begin(ImageRequest(WebAddress("https://images.example/\(signature)"), cacheKey: "a"))
        }
        await transport.responses.waitForRequests(2)
        let old = try #require(transport.names.firstIndex(of: "old"))
        let info = BrowseError.RequestInfo(endpoint: "GET image", status: 403)
        transport.responses.answer(old, with: .failure(.forbidden(info)))
        #expect(await loads[0].value == .failure(.forbidden(info)))
        transport.answer(1 - old)
        #expect(await loads[1].value.isSuccess)
    }

    @Test func `keeps an image that another signature got before this one's 404 arrives`() async throws {
        let transport = HeldTransport()
        let images = repository(transport)
        let requests = ["old", "new"].map { signature in
            ImageRequest(WebAddress("https://images.example/\(signature)"), cacheKey: "a")
        }
        let loads = requests.map { images.begin($0) }
        await transport.responses.waitForRequests(2)
        let old = try #require(transport.names.firstIndex(of: "old"))
        transport.answer(1 - old)
        #expect(await loads[1].value.isSuccess)
        let info = BrowseError.RequestInfo(endpoint: "GET image", status: 404)
        transport.responses.answer(old, with: .failure(.notFound(info)))
        #expect(await loads[0].value == .failure(.notFound(info)))
        #expect(images.cachedImage(for: requests[1]) != nil)
    }

    @Test func `continues when a waiter cancels, and cancels with the last`() async throws {
        let server = try LoopbackServer { _ in LoopbackResponse(steps: [.hold]) }
        let events = Events()
        let images = RemoteImageRepository.loopback(options: .init { $0.observers = [events] })
        let request = ImageRequest(server.origin)
        let (first, second) = (images.begin(request), images.begin(request))
        await server.waitForRequests(1)
        try await waitUntil { events.names.contains("joined") }
        first.cancel()
        #expect(await first.value == .failure(.cancelled))
        #expect(server.openConnections == 1)
        second.cancel()
        #expect(await second.value == .failure(.cancelled))
        await server.waitForDisconnect()
        #expect(server.requests.count == 1)
    }

    @Test func `respects the concurrency limit, visible images first`() async throws {
        let transport = HeldTransport()
        let (waits, joined) = (EventCounter("slot"), EventCounter("joined"))
        let images = repository(transport, limits: ImageLimits { $0.requests = 2 }, observers: [waits, joined])
        await withTaskGroup(of: Bool.self) { group in
            func begin(_ name: String, _ priority: LoadPriority) {
                group.addTask { await images.load(.example(name), priority).isSuccess }
            }
            for (count, name) in zip(1..., ["a", "b"]) {
                begin(name, .visible)
                await transport.responses.waitForRequests(count)
            }
            for (count, name) in zip(1..., ["p", "q", "v"]) {
                begin(name, name == "v" ? .visible : .prefetch)
                await waits.wait(for: count)
            }
            // A prefetched image becomes visible; it's older than the one that was visible from the start.
            begin("q", .visible)
            await joined.wait(for: 1)
            // The last slot is reserved for visible images, so "p" waits for both.
            for index in 0..<5 {
                await transport.responses.waitForRequests([2, 3, 4, 4, 5][index])
                #expect(transport.responses.waitingCount <= 2)
                transport.answer(index)
            }
            #expect(await group.allSatisfy { $0 })
        }
        #expect(transport.names[2...] == ["q", "v", "p"])
    }

    @Test func `doesn't wait for another host that doesn't respond`() async throws {
        let transport = HeldTransport()
        let images = repository(transport)
        let slow = (0..<8).map { images.begin(ImageRequest("https://slow.example/\($0)")) }
        await transport.responses.waitForRequests(6)
        let other = images.begin(ImageRequest("https://fast.example/other"))
        await transport.responses.waitForRequests(7)
        #expect(transport.names.last == "other")
        transport.answer(6)
        #expect(await other.value.isSuccess)
        for load in slow { load.cancel() }
    }

    @Test(arguments: [
        BrowseError.unreachable(.offline, .init(endpoint: "GET image")), .timedOut(.init(endpoint: "GET image")),
    ])
    func `is retried at once after a failure of the connection`(_ failure: BrowseError) async {
        let transport = HeldTransport()
        let images = repository(transport)
        transport.responses.answer(0, with: .failure(failure))
        #expect(await images.load(.example("a")) == .failure(failure))
        let next = images.begin(.example("a"))
        await transport.responses.waitForRequests(2)
        transport.answer(1)
        #expect(await next.value.isSuccess)
    }

    @Test(arguments: [
        BrowseError.notFound(.init(endpoint: "GET image")),
        .serverFailure(.init(endpoint: "GET image", status: 503)),
    ])
    func `isn't retried right after another failure, but after a while or on request`(_ failure: BrowseError) async {
        let transport = ImageTransport(failure: failure)
        let images = repository(transport, limits: ImageLimits { $0.failureLifetime = .seconds(30) })
        let request = ImageRequest.example("a")
        for _ in 0..<3 { #expect(await images.load(request) == .failure(failure)) }
        #expect(transport.count == 1)
        await images.invalidate(request)
        _ = try? await images.image(for: request)
        #expect(transport.count == 2)
        time.advance(by: .seconds(30))
        _ = try? await images.image(for: request)
        _ = try? await images.image(for: .example("b"))
        #expect(transport.count == 4)
    }

    @Test func `isn't repeated after the image was discarded, until a person tries again`() async throws {
        let folder = TemporaryFolder()
        let server = try LoopbackServer { _ in
            LoopbackResponse(body: Array(DrawnImage.png(for: "a")))
        }
        let request = ImageRequest(server.origin)
        let images = RemoteImageRepository.loopback(
            folder: folder.url,
            options: .init { $0.clock = ImmediateClock() }
        )
        _ = try await images.image(for: request)
        images.releaseMemory()
        _ = try await images.image(for: request)
        #expect(server.requests.count == 1)
        await images.discard(request)
        #expect(images.cachedImage(for: request) == nil)
        await #expect(throws: BrowseError.self) { try await images.image(for: request) }
        #expect(server.requests.count == 1)
        await images.invalidate(request)
        _ = try await images.image(for: request)
        #expect(server.requests.count == 2)
        #expect(images.cachedImage(for: request) != nil)
    }
}

extension RemoteImageRepository {
    /// Creates a repository over the default transport for a loopback server.
    ///
    /// Its time limits expire only if the clock is advanced, so that tests don't fail on a busy machine.
    static func loopback(
        folder: URL? = nil,
        limits: ImageLimits = ImageLimits(),
        clock: any Clock<Duration> = TestClock(),
        options: HTTPClient.Options = HTTPClient.Options()
    ) -> RemoteImageRepository {
        RemoteImageRepository(
            transport: HTTPClient.makeTransport(clock: clock),
            folder: folder,
            limits: limits,
            userAgent: "Tests",
            allowsLoopback: true,
            options: options
        )
    }
}

extension Result {
    var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
