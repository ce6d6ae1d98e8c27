import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import Testing

import BrowseData

/// Responses other than an image.
@Suite(.bounded)
struct `An unusable image response` {
    private let info = BrowseError.RequestInfo(endpoint: "GET image", status: 200)
    private let unanswered = BrowseError.RequestInfo(endpoint: "GET image")

    /// Returns the error of a response, and whether the next request succeeds.
    private func result(
        of response: LoopbackResponse,
        limits: HTTPLimits = HTTPLimits(bodyBytes: 100_000),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Result<EncodedImage, BrowseError> {
        let server = try LoopbackServer { $0.target == "/bad" ? response : .picture(for: $0) }
        let images = RemoteImageRepository.loopback(limits: ImageLimits { $0.request = limits })
        let result = await images.load(ImageRequest(server.origin + "/bad"))
        #expect(await images.load(ImageRequest(server.origin + "/good")).isSuccess, sourceLocation: sourceLocation)
        #expect(images.cachedImage(for: ImageRequest(server.origin + "/bad")) == nil, sourceLocation: sourceLocation)
        return result
    }

    @Test func `is rejected if it's empty`() async throws {
        #expect(try await result(of: LoopbackResponse(body: "")) == .failure(.unusableResponse(.empty, info)))
        let none = BrowseError.RequestInfo(endpoint: "GET image", status: 204)
        #expect(try await result(of: LoopbackResponse(status: 204)) == .failure(.unusableResponse(.empty, none)))
    }

    @Test func `is rejected if the connection closes early`() async throws {
        let picture = Array(DrawnImage.png(for: "a"))
        let announced = LoopbackResponse(steps: [
            LoopbackResponse.head("Content-Length: \(picture.count)", contentType: "image/png"),
            .bytes(Array(picture.dropLast(10))), .close,
        ])
        #expect(try await result(of: announced) == .failure(.unreachable(.connectionLost, unanswered)))
    }

    @Test func `is rejected if it announces 100 MB, without receiving them`() async throws {
        let announced = LoopbackResponse(steps: [LoopbackResponse.head("Content-Length: 104857600"), .hold])
        let tooLarge = BrowseError.unusableResponse(.tooLarge(limit: 100_000), unanswered)
        #expect(try await result(of: announced) == .failure(tooLarge))
        let start = Array(DrawnImage.png(for: "a").prefix(33))
        let untilClose = LoopbackResponse(steps: [
            LoopbackResponse.head("Connection: close"), .bytes(start),
            .repeated([UInt8](repeating: 0, count: 1 << 16), count: 1600),
        ])
        #expect(try await result(of: untilClose) == .failure(tooLarge))
    }

    @Test(arguments: ImageSample.huge)
    func `is rejected if it announces 60,000 by 60,000 pixels in any format`(_ sample: ImageSample) async throws {
        // No larger than other images, and as large as the limit allows.
        for padding in [0, 10 << 20 - sample.data.count] {
            let file = LoopbackResponse(body: Array(sample.data + Data(count: padding)))
            let result = try await result(of: file, limits: HTTPLimits(bodyBytes: 10 << 20))
            #expect(result == .failure(.unusableResponse(.tooManyPixels(limit: 32 << 20), info)))
        }
    }

    @Test(arguments: ImageSample.others)
    func `is rejected if it isn't an image, whatever its name`(_ sample: ImageSample) async throws {
        let type = BrowseError.UnusableResponse.contentType("image/png")
        let result = try await result(of: .image(sample.data))
        #expect(result == .failure(.unusableResponse(sample.data.isEmpty ? .empty : type, info)))
    }

    @Test func `times out`() async throws {
        let slow = LoopbackResponse(steps: [LoopbackResponse.head("Content-Length: 1000"), .text("\u{89}PNG"), .hold])
        let server = try LoopbackServer { _ in slow }
        let clock = TestClock()
        let limits = ImageLimits { $0.request = HTTPLimits(duration: .seconds(5)) }
        let loading = RemoteImageRepository.loopback(limits: limits, clock: clock).begin(ImageRequest(server.origin))
        await server.waitForRequests(1)
        await clock.waitForSleepersAndTimeLimits(1)
        await clock.advance(by: .seconds(5))
        #expect(await loading.value == .failure(.timedOut(unanswered)))
        await server.waitForDisconnect()
    }

    @Test(arguments: [401, 403, 404, 410, 418, 500, 503])
    func `maps its status to an error`(_ status: Int) async throws {
        let picture = LoopbackResponse(status: status, body: Array(DrawnImage.png(for: "a")))
        let info = BrowseError.RequestInfo(endpoint: "GET image", status: status)
        #expect(try await result(of: picture) == .failure(BrowseError(status: status, info: info)))
    }

    @Test func `with a rate limit stops all requests to the host until its time`() async throws {
        let isLimited = Mutex(true)
        let server = try LoopbackServer { request in
            isLimited.withLock(\.self)
                ? LoopbackResponse(status: 429, headers: [("Retry-After", "3600")]) : .picture(for: request)
        }
        let clock = TestClock()
        let time = Mutex(testNow)
        let images = RemoteImageRepository(
            transport: HTTPClient.makeTransport(clock: TestClock()),
            folder: nil,
            userAgent: "Tests",
            allowsLoopback: true,
            options: .init {
                $0.now = { time.withLock(\.self) }
                $0.clock = clock
            }
        )
        func wait(_ seconds: Int) async {
            await clock.advance(by: .seconds(seconds))
            time.withLock { $0 += Double(seconds) }
        }
        func rows() async -> [Result<EncodedImage, BrowseError>] {
            let tasks = (0..<20).map { images.begin(ImageRequest("\(server.origin)/\($0)")) }
            var results: [Result<EncodedImage, BrowseError>] = []
            for task in tasks { results.append(await task.value) }
            return results
        }
        for _ in 0..<2 {
            for row in await rows() {
                guard case .failure(.rateLimited(let limit, _)) = row else {
                    Issue.record("\(row)")
                    continue
                }
                #expect(limit.retryAt == testNow + 3600)
            }
            // Those that were in flight before the first response.
            #expect(server.requests.count <= ImageLimits().requests)
            await wait(31)
        }
        isLimited.withLock { $0 = false }
        await wait(3600 - 62)
        #expect(await rows().allSatisfy(\.isSuccess))
    }

    @Test func `can redirect to another host, which gets no secrets`() async throws {
        let other = try LoopbackServer { .picture(for: $0) }
        let target = other.origin.replacing("127.0.0.1", with: "localhost")
        let server = try LoopbackServer { _ in
            LoopbackResponse(status: 302, headers: [("Location", target + "/there"), ("Set-Cookie", "id=1")])
        }
        let result = await RemoteImageRepository.loopback().load(ImageRequest(server.origin + "/here"))
        #expect(try result.get().data == DrawnImage.png(for: "/there", bytes: 0))
        let request = try #require(other.requests.first)
        let sent = Set(request.headers.map { $0.name.lowercased() })
        #expect(sent.isDisjoint(with: ["cookie", "authorization", "referer", "origin"]))
    }

    @Test func `can redirect to a path with letters of any script, escaped or not`() async throws {
        let server = try LoopbackServer { request in
            request.target == "/here"
                ? LoopbackResponse(status: 302, headers: [("Location", "/%EC%82%AC 진.png ")]) : .picture(for: request)
        }
        let result = await RemoteImageRepository.loopback().load(ImageRequest(server.origin + "/here"))
        #expect(result.isSuccess)
        #expect(server.requests.map(\.target) == ["/here", "/%EC%82%AC%20%EC%A7%84.png"])
    }

    @Test func `fails after too many redirects`() async throws {
        let loop = LoopbackResponse.redirect(to: "/bad")
        #expect(try await result(of: loop) == .failure(.refused(.tooManyRedirects(limit: 5), unanswered)))
    }
}
