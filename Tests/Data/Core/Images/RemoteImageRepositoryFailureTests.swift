import BrowseDomain
import BrowseMocks
import Foundation
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
}
