import BrowseDomain
import BrowseMocks
import Foundation
import Testing

@testable import BrowseData

/// What servers answer instead of a picture.
@Suite(.timeLimit(.minutes(5)))
struct `A response that is no usable picture` {
    private let info = BrowseError.RequestInfo(endpoint: "GET image", status: 200)
    private let unanswered = BrowseError.RequestInfo(endpoint: "GET image")

    /// What comes of a response, and whether the next request brings a picture.
    private func result(
        of response: LoopbackResponse,
        limits: HTTPLimits = HTTPLimits(bodyBytes: 100_000),
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Result<EncodedImage, BrowseError> {
        let server = try LoopbackServer { $0.target == "/bad" ? response : .picture(for: $0) }
        let images = RemoteImageRepository.loopback(limits: ImageLimits(request: limits))
        let result = await images.load(ImageRequest(server.origin + "/bad"))
        #expect(await images.load(ImageRequest(server.origin + "/good")).isSuccess, sourceLocation: sourceLocation)
        #expect(images.cachedImage(for: ImageRequest(server.origin + "/bad")) == nil, sourceLocation: sourceLocation)
        return result
    }

    @Test func `is refused when it is something else, whatever it is called`() async throws {
        for type in ["image/png", "text/html; charset=utf-8"] {
            let page = LoopbackResponse(
                headers: [("Content-Type", type)],
                body: "<!DOCTYPE html><title>Sign in</title>"
            )
            #expect(try await result(of: page) == .failure(.unusableResponse(.contentType(type), info)))
        }
    }

    @Test func `is refused when it is empty`() async throws {
        #expect(try await result(of: LoopbackResponse(body: "")) == .failure(.unusableResponse(.empty, info)))
        let none = BrowseError.RequestInfo(endpoint: "GET image", status: 204)
        #expect(try await result(of: LoopbackResponse(status: 204)) == .failure(.unusableResponse(.empty, none)))
    }

    @Test func `is refused when the connection ends before it does`() async throws {
        let picture = Array(DrawnImage.png(for: "a"))
        let announced = LoopbackResponse(steps: [
            LoopbackResponse.head("Content-Length: \(picture.count)", contentType: "image/png"),
            .bytes(Array(picture.dropLast(10))), .close,
        ])
        #expect(try await result(of: announced) == .failure(.unreachable(.connectionLost, unanswered)))
        // Here nothing but the picture itself tells.
        let untilClose = LoopbackResponse(steps: [
            LoopbackResponse.head("Connection: close", contentType: "image/png"), .bytes(Array(picture.dropLast(10))),
            .close,
        ])
        let failure = BrowseError.DecodingFailure(codingPath: "", reason: "The picture is cut off.", excerpt: "")
        #expect(try await result(of: untilClose) == .failure(.unusableResponse(.decoding(failure), info)))
    }

    @Test func `is refused when it has 100 MB, before it has come`() async throws {
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

    @Test func `is given up when it takes too long`() async throws {
        let slow = LoopbackResponse(steps: [LoopbackResponse.head("Content-Length: 1000"), .text("\u{89}PNG"), .hold])
        let server = try LoopbackServer { _ in slow }
        let clock = ManualClock()
        let limits = ImageLimits(request: HTTPLimits(duration: .seconds(5)))
        let loading = RemoteImageRepository.loopback(limits: limits, clock: clock).begin(ImageRequest(server.origin))
        await server.waitForRequests(1)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        #expect(await loading.value == .failure(.timedOut(unanswered)))
        await server.waitForDisconnect()
    }

    @Test(arguments: [401, 403, 404, 410, 418, 500, 503])
    func `is told by its status`(_ status: Int) async throws {
        let picture = LoopbackResponse(status: status, body: Array(DrawnImage.png(for: "a")))
        let info = BrowseError.RequestInfo(endpoint: "GET image", status: status)
        #expect(try await result(of: picture) == .failure(BrowseError(status: status, info: info)))
    }

    @Test func `says when to come back`() async throws {
        let busy = LoopbackResponse(status: 429, headers: [("Retry-After", "120")])
        guard case .failure(.rateLimited(let limit, _)) = try await result(of: busy) else {
            Issue.record("not limited")
            return
        }
        #expect(limit.isServerTime)
    }

    @Test func `may lead to another host, which learns nothing`() async throws {
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

    @Test func `ends when it leads on for ever`() async throws {
        let loop = LoopbackResponse.redirect(to: "/bad")
        #expect(try await result(of: loop) == .failure(.refused(.tooManyRedirects(limit: 5), unanswered)))
    }
}
