import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import Foundation
import TestLimits
import Testing

@Suite("A GitHub error response", .bounded)
struct GitHubServiceTests {
    private func info(_ status: Int, message: String? = nil) -> BrowseError.RequestInfo {
        .init(endpoint: "GET /x", status: status) {
            $0.requestID = "1"
            $0.serverMessage = message
        }
    }

    private func error(_ status: Int, _ headers: HTTPHeaders = [:], body: String = "") async -> BrowseError? {
        let transport = FakeTransport { request, _ throws(BrowseError) in
            var headers = headers
            // Without it, a 401 isn't GitHub's.
            headers["X-GitHub-Request-Id"] = "1"
            return HTTPClient.Response(status: status, headers: headers, body: Data(body.utf8), url: request.url)
        }
        let client = HTTPClient(service: .sample(), transport: transport, options: .init { $0.now = { testNow } })
        return await thrown { () async throws(BrowseError) in try await client.send(Endpoint(.path("/x")) { $0.status })
        }
    }

    @Test func `maps its status`() async {
        for (statuses, make) in [
            ([401], BrowseError.unauthorized), ([403], BrowseError.forbidden), ([404], BrowseError.notFound),
            ([400, 402, 405, 406, 409, 411, 413, 415, 418, 422, 428, 431, 499], BrowseError.rejected),
            ([500, 501, 502, 503, 504, 522, 599], BrowseError.serverFailure),
            ([100, 300, 302, 304, 399, 600, 999], { .unusableResponse(.status, $0) }),
        ] as [([Int], (BrowseError.RequestInfo) -> BrowseError)] {
            for status in statuses { #expect(await error(status) == make(info(status)), "\(status)") }
        }
        var closed = info(410)
        closed.rejection = .appVersion
        #expect(await error(410) == .rejected(closed))
        var blocked = info(451)
        blocked.denial = .legalReasons(nil)
        #expect(await error(451) == .forbidden(blocked))
        var busy = info(503)
        busy.retryAt = testNow + 5
        #expect(await error(503, ["Retry-After": "5"]) == .serverFailure(busy))
        #expect(await error(401, ["WWW-Authenticate": "Basic realm=\"GitHub\""]) == .unauthorized(info(401)))
    }

    @Test func `includes a message in one short line, if it has one`() async {
        func message(_ status: Int, _ body: String) async -> String? {
            await error(status, body: body)?.request?.serverMessage
        }
        #expect(await message(404, "{\"message\":\"Not\\n Found\"}") == "Not Found")
        for body in ["{\"message\":null}", "{\"message\":42}", "{}", "Not Found"] {
            #expect(await message(404, body) == nil)
        }
        #expect(await message(422, "{\"message\":\"자리\",\"errors\":[\"plain\"]}") == "자리 (plain)")
        #expect(await message(422, #"{"message":"No","errors":[1,null,{"field":2},{},"one"]}"#) == "No (one)")
        #expect(await message(422, #"{"message":"No","errors":"one"}"#) == "No")
        let details =
            #"[{"resource":"Issue","field":"title","code":"missing_field"},{"code":"custom","message":"Only once"}]"#
        #expect(
            await message(422, "{\"message\":\"Validation Failed\",\"errors\":\(details)}")
                == "Validation Failed (title: missing_field, Only once)"
        )
        let long = await message(500, "{\"message\":\"\(String(repeating: "word ", count: 1000))\"}") ?? ""
        #expect(long.count == 200 && long.hasSuffix("…"))
    }

    /// The error for a rate limit that ends after a time in seconds.
    private func limit(
        _ kind: BrowseError.RateLimit.Kind,
        _ seconds: TimeInterval,
        isServerTime: Bool,
        _ info: BrowseError.RequestInfo
    ) -> BrowseError {
        .rateLimited(.init(kind: kind, retryAt: testNow + seconds, isServerTime: isServerTime), info)
    }

    @Test(arguments: [403, 429])
    func `with an exhausted limit waits until the reset`(status: Int) async {
        let now = Int(testNow.timeIntervalSince1970)
        for (reset, retryAfter, seconds, isServerTime) in [
            (String(now + 100), nil, 100, true), (String(now - 100), nil, 0, true),
            (String(now + 100), "7", 7, true), (nil, nil, 60, false),
            ("99999999999", nil, 86_400, true), (String(repeating: "9", count: 400), nil, 86_400, true),
            ("18446744073709551616", nil, 86_400, true), ("", nil, 60, false), ("soon", nil, 60, false),
            ("-1", nil, 60, false), ("1e300", nil, 60, false), ("0x10", nil, 60, false), ("1,5", nil, 60, false),
        ] as [(String?, String?, TimeInterval, Bool)] {
            var headers: HTTPHeaders = ["x-ratelimit-remaining": "0"]
            headers["x-ratelimit-reset"] = reset
            headers["retry-after"] = retryAfter
            let expected = limit(.primary, seconds, isServerTime: isServerTime, info(status))
            #expect(await error(status, headers) == expected, "\(reset ?? "-") \(retryAfter ?? "-")")
        }
    }

    /// The count is a cached one (RFC 9111, section 5.1), or a gateway has removed it.
    @Test(
        arguments: [["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "9999999999", "Age": "300"], [:]]
            as [HTTPHeaders]
    )
    func `is a primary limit by its sentence, too`(headers: HTTPHeaders) async {
        let message = "API rate limit exceeded for 1.2.3.4."
        let expected = limit(.primary, 60, isServerTime: false, info(403, message: message))
        #expect(await error(403, headers, body: "{\"message\":\"\(message)\"}") == expected)
    }

    @Test func `with a secondary limit waits as long as requested, or one minute`() async {
        let reset = String(Int(testNow.timeIntervalSince1970) + 3000)
        for message in ["You have exceeded a SECONDARY rate limit", "You have triggered an abuse detection mechanism"] {
            for (headers, seconds, isServerTime) in [
                ([:], 60, false), (["Retry-After": "9"], 9, true),
                // The primary limit's reset doesn't apply unless that limit is exhausted, too.
                (["X-RateLimit-Remaining": "40", "X-RateLimit-Reset": reset], 60, false),
                (["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset], 3000, true),
            ] as [(HTTPHeaders, TimeInterval, Bool)] {
                let expected = limit(.secondary, seconds, isServerTime: isServerTime, info(403, message: message))
                #expect(await error(403, headers, body: "{\"message\":\"\(message)\"}") == expected, "\(headers)")
            }
        }
        #expect(await error(429) == limit(.secondary, 60, isServerTime: false, info(429)))
        #expect(await error(403, ["Retry-After": "1"]) == limit(.secondary, 1, isServerTime: true, info(403)))
        for headers in [["Retry-After": "-1"], ["Retry-After": "tomorrow"], ["X-RateLimit-Remaining": "1"]]
            as [HTTPHeaders]
        {
            #expect(await error(403, headers) == .forbidden(info(403)))
        }
    }
}
