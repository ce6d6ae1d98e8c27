import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import Testing

/// A faulty response, and its expected error.
struct BadResponse: Sendable, CustomTestStringConvertible {
    let name: String
    let response: LoopbackResponse
    let error: @Sendable (BrowseError.RequestInfo) -> BrowseError

    var testDescription: String { name }

    init(
        _ name: String,
        _ response: LoopbackResponse,
        _ error: @escaping @Sendable (BrowseError.RequestInfo) -> BrowseError
    ) {
        self.name = name
        self.response = response
        self.error = error
    }

    /// A response with an error status.
    init(
        status: Int,
        _ name: String = "",
        headers: [(String, String)] = [],
        message: String? = "It did not work",
        _ error: @escaping @Sendable (BrowseError.RequestInfo) -> BrowseError
    ) {
        let fields = headers + [("X-GitHub-Request-Id", "AB12:34CD")]
        let body = message.map {
            "{\"message\":\"\($0)\",\"documentation_url\":\"https://docs.example\",\"status\":\"\(status)\"}"
        }
        self.init("\(status) \(name)", .json(body ?? "", status: status, headers: fields)) { info in
            error(info.with(status: status, requestID: "AB12:34CD", message: message))
        }
    }

    /// A rate limit with a wait in seconds from now; `nil` if the response contains no time.
    private init(
        limited status: Int,
        _ name: String,
        headers: [(String, String)] = [],
        message: String? = "Slow down",
        kind: BrowseError.RateLimit.Kind,
        wait: TimeInterval?
    ) {
        self.init(status: status, name, headers: headers, message: message) { info in
            let retryAt = testNow.addingTimeInterval(wait ?? 60)
            return .rateLimited(.init(kind: kind, retryAt: retryAt, isServerTime: wait != nil), info)
        }
    }

    /// A response with status 200 and a body that can't be decoded.
    private init(
        _ name: String,
        body: LoopbackResponse,
        path: String = "",
        reason: String = "not valid JSON"
    ) {
        self.init(name, body) { info in
            let failure = BrowseError.DecodingFailure(codingPath: path, reason: reason)
            return .unusableResponse(.decoding(failure), info.with(status: 200))
        }
    }
}

extension BrowseError.RequestInfo {
    func with(status: Int?, requestID: String? = nil, message: String? = nil) -> Self {
        Self(endpoint: endpoint, status: status, requestID: requestID, serverMessage: message)
    }
}

extension BadResponse {
    /// Connections that are lost.
    static let broken: [BadResponse] = {
        let lost: @Sendable (BrowseError.RequestInfo) -> BrowseError = { .unreachable(.connectionLost, $0) }
        let length = LoopbackResponse.head("Content-Length: 1000")
        let chunked = LoopbackResponse.head("Transfer-Encoding: chunked")
        return [
            BadResponse("reset before the response", LoopbackResponse(steps: [.reset]), lost),
            BadResponse("closed before the response", LoopbackResponse(steps: [.close]), lost),
            BadResponse("closed in the status line", LoopbackResponse(steps: [.text("HTTP/1.1 20"), .close]), lost),
            BadResponse("reset in the body", LoopbackResponse(steps: [length, .text("[{"), .reset]), lost),
            BadResponse(
                "closed before the announced length",
                LoopbackResponse(steps: [length, .text("[{"), .close]),
                lost
            ),
            BadResponse("closed right after the header", LoopbackResponse(steps: [length, .close]), lost),
            BadResponse(
                "closed between chunks",
                LoopbackResponse(steps: [chunked, .text("2\r\n[{\r\n"), .close]),
                lost
            ),
            BadResponse("closed in a chunk", LoopbackResponse(steps: [chunked, .text("ff\r\n[{"), .close]), lost),
            BadResponse(
                "reset between chunks",
                LoopbackResponse(steps: [chunked, .text("2\r\n[{\r\n"), .reset]),
                lost
            ),
        ]
    }()

    /// Error statuses.
    static let statuses: [BadResponse] = [
        BadResponse(status: 304, message: nil) { .unusableResponse(.status, $0) },
        BadResponse(status: 400) { .rejected($0) },
        BadResponse(status: 401, "Basic", headers: [("WWW-Authenticate", "Basic realm=\"GitHub\"")]) {
            .unauthorized($0.anonymous)
        },
        BadResponse(status: 401, "Bearer", headers: [("WWW-Authenticate", "Bearer")]) { .unauthorized($0.anonymous) },
        BadResponse(status: 401, "without a challenge", message: "Bad credentials") { .unauthorized($0.anonymous) },
        BadResponse(status: 401, "without a body", headers: [("WWW-Authenticate", "Basic realm=\"a\"")], message: nil) {
            .unauthorized($0.anonymous)
        },
        BadResponse(status: 403, message: "Must have admin rights to Repository.") { .forbidden($0) },
        BadResponse(status: 403, "without a body", message: nil) { .forbidden($0) },
        BadResponse(status: 403, "with an unreadable wait", headers: [("Retry-After", "soon")]) { .forbidden($0) },
        BadResponse(status: 403, "with budget left", headers: [("X-RateLimit-Remaining", "1")]) { .forbidden($0) },
        BadResponse(status: 404, message: "Not Found") { .notFound($0) },
        BadResponse(status: 410) { .notFound($0) },
        BadResponse(status: 422, message: "Validation Failed") { .rejected($0) },
        BadResponse(status: 451) {
            var info = $0
            info.denial = .legalReasons(nil)
            return .forbidden(info)
        },
        BadResponse(status: 500) { .serverFailure($0) },
        BadResponse(status: 502, message: nil) { .serverFailure($0) },
        BadResponse(status: 503, headers: [("Retry-After", "5")]) {
            var info = $0
            info.retryAt = testNow + 5
            return .serverFailure(info)
        },
        BadResponse(
            "500 with HTML",
            LoopbackResponse(status: 500, headers: [("Content-Type", "text/html")], body: "<h1>no")
        ) {
            .serverFailure($0.with(status: 500))
        },
    ]

    /// Rate limits.
    static let limits: [BadResponse] = [
        BadResponse(limited: 403, "after seconds", headers: [("Retry-After", "30")], kind: .secondary, wait: 30),
        BadResponse(limited: 429, "after seconds", headers: [("Retry-After", "8")], kind: .secondary, wait: 8),
        // `testNow` is 03:04:05.
        BadResponse(
            limited: 429,
            "at an HTTP date",
            headers: [("Retry-After", "Fri, 02 Jan 2026 03:05:05 GMT")],
            kind: .secondary,
            wait: 60
        ),
        BadResponse(limited: 429, "that says nothing", message: nil, kind: .secondary, wait: nil),
        BadResponse(
            limited: 403,
            "primary with reset",
            headers: [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1767323645")],
            kind: .primary,
            wait: 600
        ),
        BadResponse(
            limited: 403,
            "primary without reset",
            headers: [("X-RateLimit-Remaining", "0")],
            kind: .primary,
            wait: nil
        ),
        BadResponse(
            limited: 403,
            "primary with a reset in the past",
            headers: [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1767323000")],
            kind: .primary,
            wait: 0
        ),
        BadResponse(
            limited: 403,
            "secondary by its message",
            headers: [("X-RateLimit-Remaining", "21"), ("X-RateLimit-Reset", "1767323645")],
            message: "You have exceeded a secondary rate limit. Please wait a few minutes.",
            kind: .secondary,
            wait: nil
        ),
        BadResponse(
            limited: 403,
            "secondary by its old message",
            headers: [("Retry-After", "60")],
            message: "You have triggered an abuse detection mechanism.",
            kind: .secondary,
            wait: 60
        ),
    ]

    /// Unusable responses with status 200.
    static let bodies: [BadResponse] = [
        BadResponse("204", LoopbackResponse(status: 204)) { .unusableResponse(.empty, $0.with(status: 204)) },
        BadResponse("no body", .json("")) { .unusableResponse(.empty, $0.with(status: 200)) },
        BadResponse("HTML", LoopbackResponse(headers: [("Content-Type", "text/html; charset=utf-8")], body: "<p>Hello"))
        {
            // Of a captive portal: GitHub's responses have an identifier.
            .unreachable(.intercepted, $0.with(status: 200))
        },
        BadResponse("HTML that says it is JSON", body: .json("<p>Hello")),
        BadResponse(
            "cut JSON of the right length",
            body: .json("[{\"id\":1,\"login\":\"oc")
        ),
        BadResponse(
            "100,000 brackets",
            body: .json(String(repeating: "[", count: 100_000))
        ),
        BadResponse("a byte order mark and nothing", body: .json("\u{FEFF}")),
        BadResponse(
            "bytes that are not text",
            body: .json(bytes: [0xFF, 0xFE, 0xFD])
        ),
    ]

    static let all: [BadResponse] = broken + statuses + limits + bodies
}

extension BrowseError.RequestInfo {
    /// The same request without a token.
    var anonymous: Self {
        var info = self
        info.hadNoCredentials = true
        return info
    }
}
