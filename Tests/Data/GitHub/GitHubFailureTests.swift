import BrowseDomain
@testable import BrowseGitHubData
import BrowseGitHubDomain
import Foundation
import TestLimits
import Testing

@testable import BrowseData

@Suite("A GitHub error response", .bounded)
struct GitHubFailureTests {
    private let info = BrowseError.RequestInfo(endpoint: "GET /x")

    private func error(_ status: Int, _ headers: HTTPHeaders = [:], body: String = "") -> BrowseError {
        let response = HTTPClient.Response(
            status: status,
            headers: headers,
            body: Data(body.utf8),
            url: URL(filePath: "/")
        )
        return GitHubFailure.error(for: response, info: info, now: testNow)
    }

    @Test("maps its status")
    func statuses() {
        #expect(error(401) == .unauthorized(info))
        #expect(error(403) == .forbidden(info))
        #expect(error(404) == .notFound(info))
        #expect(error(410) == .notFound(info))
        for status in [400, 402, 405, 406, 409, 411, 413, 415, 418, 422, 428, 431, 499] {
            #expect(error(status) == .rejected(info), "\(status)")
        }
        for status in [500, 501, 502, 503, 504, 522, 599] {
            #expect(error(status) == .serverFailure(info), "\(status)")
        }
        for status in [100, 300, 302, 304, 399, 600, 999] {
            #expect(error(status) == .unusableResponse(.status, info), "\(status)")
        }
    }

    @Test("includes a message in one short line, if it has one")
    func messages() {
        #expect(error(404, body: "{\"message\":\"Not\\n Found\"}").request?.serverMessage == "Not Found")
        #expect(error(404, body: "{\"message\":null}").request?.serverMessage == nil)
        #expect(error(404, body: "{\"message\":42}").request?.serverMessage == nil)
        #expect(error(404, body: "{}").request?.serverMessage == nil)
        #expect(error(404, body: "Not Found").request?.serverMessage == nil)
        #expect(error(422, body: "{\"message\":\"자리\",\"errors\":[\"plain\"]}").request?.serverMessage == "자리")
        let long = error(500, body: "{\"message\":\"\(String(repeating: "word ", count: 1000))\"}").request?
            .serverMessage
        #expect((long ?? "").count == 200)
        #expect(long?.hasSuffix("…") == true)
    }

    @Test("with an exhausted limit waits until the reset", arguments: [403, 429])
    func primary(status: Int) {
        func limit(_ seconds: TimeInterval, isServerTime: Bool) -> BrowseError {
            let retryAt = testNow.addingTimeInterval(seconds)
            return .rateLimited(.init(kind: .primary, retryAt: retryAt, isServerTime: isServerTime), info)
        }
        func error(reset: String?, retryAfter: String? = nil) -> BrowseError {
            var headers: HTTPHeaders = ["x-ratelimit-remaining": "0"]
            headers["x-ratelimit-reset"] = reset
            headers["retry-after"] = retryAfter
            return self.error(status, headers)
        }
        let now = Int(testNow.timeIntervalSince1970)
        #expect(error(reset: String(now + 100)) == limit(100, isServerTime: true))
        #expect(error(reset: String(now - 100)) == limit(0, isServerTime: true))
        #expect(error(reset: String(now + 100), retryAfter: "7") == limit(7, isServerTime: true))
        #expect(error(reset: nil) == limit(60, isServerTime: false))
        for garbage in ["", "soon", "nan", "inf", "-1", "1e300", "0x10", "{{reset}}", "1,5"] {
            #expect(error(reset: garbage) == limit(60, isServerTime: false), "\(garbage)")
        }
        for huge in ["99999999999", String(repeating: "9", count: 400), "18446744073709551616"] {
            #expect(error(reset: huge) == limit(86_400, isServerTime: true), "\(huge)")
        }
    }

    @Test("with a secondary limit waits as long as requested, or one minute")
    func secondary() {
        func limit(_ seconds: TimeInterval, isServerTime: Bool, message: String?) -> BrowseError {
            var info = info
            info.serverMessage = message
            let retryAt = testNow.addingTimeInterval(seconds)
            return .rateLimited(.init(kind: .secondary, retryAt: retryAt, isServerTime: isServerTime), info)
        }
        for message in ["You have exceeded a SECONDARY rate limit", "You have triggered an abuse detection mechanism"] {
            let body = "{\"message\":\"\(message)\"}"
            #expect(error(403, body: body) == limit(60, isServerTime: false, message: message))
            #expect(error(403, ["Retry-After": "9"], body: body) == limit(9, isServerTime: true, message: message))
            // The primary limit's reset doesn't apply unless that limit is exhausted, too.
            let reset = String(Int(testNow.timeIntervalSince1970) + 3000)
            let left: HTTPHeaders = ["X-RateLimit-Remaining": "40", "X-RateLimit-Reset": reset]
            #expect(error(403, left, body: body) == limit(60, isServerTime: false, message: message))
            let none: HTTPHeaders = ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset]
            #expect(error(403, none, body: body) == limit(3000, isServerTime: true, message: message))
        }
        #expect(error(429) == limit(60, isServerTime: false, message: nil))
        #expect(error(403, ["Retry-After": "1"]) == limit(1, isServerTime: true, message: nil))
        #expect(error(403, ["Retry-After": "-1"]) == .forbidden(info))
        #expect(error(403, ["Retry-After": "tomorrow"]) == .forbidden(info))
        #expect(error(403, ["X-RateLimit-Remaining": "1"]) == .forbidden(info))
    }
}
