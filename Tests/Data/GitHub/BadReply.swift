import BrowseData
import BrowseDomain
import Foundation
import LoopbackServer
import Testing

/// A reply that goes wrong, and the error that it has to become.
struct BadReply: Sendable, CustomTestStringConvertible {
    let name: String
    let reply: LoopbackReply
    let error: @Sendable (BrowseError.RequestInfo) -> BrowseError

    var testDescription: String { name }

    init(_ name: String, _ reply: LoopbackReply, _ error: @escaping @Sendable (BrowseError.RequestInfo) -> BrowseError)
    {
        self.name = name
        self.reply = reply
        self.error = error
    }

    /// A reply with a status that is not success.
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

    /// A 403 or 429 that asks to wait for so many seconds from now; `nil` when the server does not say how long.
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

    /// A reply with status 200 and a body that cannot be read.
    private init(
        _ name: String,
        body: LoopbackReply,
        path: String = "",
        reason: String = "not valid JSON",
        excerpt: String
    ) {
        self.init(name, body) { info in
            let failure = BrowseError.DecodingFailure(codingPath: path, reason: reason, excerpt: excerpt)
            return .unusableReply(.decoding(failure), info.with(status: 200))
        }
    }
}

extension BrowseError.RequestInfo {
    func with(status: Int?, requestID: String? = nil, message: String? = nil) -> Self {
        Self(endpoint: endpoint, status: status, requestID: requestID, serverMessage: message)
    }
}

extension BadReply {
    /// Connections that break.
    static let broken: [BadReply] = {
        let lost: @Sendable (BrowseError.RequestInfo) -> BrowseError = { .unreachable(.connectionLost, $0) }
        let length = LoopbackReply.head("Content-Length: 1000")
        let chunked = LoopbackReply.head("Transfer-Encoding: chunked")
        return [
            BadReply("reset before the reply", LoopbackReply(steps: [.reset]), lost),
            BadReply("closed before the reply", LoopbackReply(steps: [.close]), lost),
            BadReply("closed in the status line", LoopbackReply(steps: [.text("HTTP/1.1 20"), .close]), lost),
            BadReply("reset in the body", LoopbackReply(steps: [length, .text("[{"), .reset]), lost),
            BadReply("closed before the announced length", LoopbackReply(steps: [length, .text("[{"), .close]), lost),
            BadReply("closed right after the header", LoopbackReply(steps: [length, .close]), lost),
            BadReply("closed between chunks", LoopbackReply(steps: [chunked, .text("2\r\n[{\r\n"), .close]), lost),
            BadReply("closed in a chunk", LoopbackReply(steps: [chunked, .text("ff\r\n[{"), .close]), lost),
            BadReply("reset between chunks", LoopbackReply(steps: [chunked, .text("2\r\n[{\r\n"), .reset]), lost),
        ]
    }()

    /// Statuses other than success.
    static let statuses: [BadReply] = [
        BadReply(status: 304, message: nil) { .unusableReply(.status, $0) },
        BadReply(status: 400) { .rejected($0) },
        BadReply(status: 401, "Basic", headers: [("WWW-Authenticate", "Basic realm=\"GitHub\"")]) {
            .unauthorized($0.anonymous)
        },
        BadReply(status: 401, "Bearer", headers: [("WWW-Authenticate", "Bearer")]) { .unauthorized($0.anonymous) },
        BadReply(status: 401, "without a challenge", message: "Bad credentials") { .unauthorized($0.anonymous) },
        BadReply(status: 401, "without a body", headers: [("WWW-Authenticate", "Basic realm=\"a\"")], message: nil) {
            .unauthorized($0.anonymous)
        },
        BadReply(status: 403, message: "Must have admin rights to Repository.") { .forbidden($0) },
        BadReply(status: 403, "without a body", message: nil) { .forbidden($0) },
        BadReply(status: 403, "with an unreadable wait", headers: [("Retry-After", "soon")]) { .forbidden($0) },
        BadReply(status: 403, "with budget left", headers: [("X-RateLimit-Remaining", "1")]) { .forbidden($0) },
        BadReply(status: 404, message: "Not Found") { .notFound($0) },
        BadReply(status: 410) { .notFound($0) },
        BadReply(status: 422, message: "Validation Failed") { .rejected($0) },
        BadReply(status: 451) { .rejected($0) },
        BadReply(status: 500) { .serverFailure($0) },
        BadReply(status: 502, message: nil) { .serverFailure($0) },
        BadReply(status: 503, headers: [("Retry-After", "5")]) { .serverFailure($0) },
        BadReply("500 with HTML", LoopbackReply(status: 500, headers: [("Content-Type", "text/html")], body: "<h1>no"))
        {
            .serverFailure($0.with(status: 500))
        },
    ]

    /// Servers that ask to wait.
    static let limits: [BadReply] = [
        BadReply(limited: 403, "after seconds", headers: [("Retry-After", "30")], kind: .secondary, wait: 30),
        BadReply(limited: 429, "after seconds", headers: [("Retry-After", "8")], kind: .secondary, wait: 8),
        // testNow is 03:04:05.
        BadReply(
            limited: 429,
            "at an HTTP date",
            headers: [("Retry-After", "Fri, 02 Jan 2026 03:05:05 GMT")],
            kind: .secondary,
            wait: 60
        ),
        BadReply(limited: 429, "that says nothing", message: nil, kind: .secondary, wait: nil),
        BadReply(
            limited: 403,
            "primary with reset",
            headers: [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1767323645")],
            kind: .primary,
            wait: 600
        ),
        BadReply(
            limited: 403,
            "primary without reset",
            headers: [("X-RateLimit-Remaining", "0")],
            kind: .primary,
            wait: nil
        ),
        BadReply(
            limited: 403,
            "primary with a reset in the past",
            headers: [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1767323000")],
            kind: .primary,
            wait: 0
        ),
        BadReply(
            limited: 403,
            "secondary by its message",
            headers: [("X-RateLimit-Remaining", "21"), ("X-RateLimit-Reset", "1767323645")],
            message: "You have exceeded a secondary rate limit. Please wait a few minutes.",
            kind: .secondary,
            wait: nil
        ),
        BadReply(
            limited: 403,
            "secondary by its old message",
            headers: [("Retry-After", "60")],
            message: "You have triggered an abuse detection mechanism.",
            kind: .secondary,
            wait: 60
        ),
    ]

    /// Replies with status 200 that are none.
    static let bodies: [BadReply] = [
        BadReply("204", LoopbackReply(status: 204)) { .unusableReply(.empty, $0.with(status: 204)) },
        BadReply("no body", .json("")) { .unusableReply(.empty, $0.with(status: 200)) },
        BadReply("HTML", LoopbackReply(headers: [("Content-Type", "text/html; charset=utf-8")], body: "<p>Hello")) {
            .unusableReply(.contentType("text/html; charset=utf-8"), $0.with(status: 200))
        },
        BadReply("HTML that says it is JSON", body: .json("<p>Hello"), excerpt: "<p>Hello"),
        BadReply(
            "cut JSON of the right length",
            body: .json("[{\"id\":1,\"login\":\"oc"),
            excerpt: "[{\"id\":1,\"login\":\"…\""
        ),
        BadReply(
            "100,000 brackets",
            body: .json(String(repeating: "[", count: 100_000)),
            excerpt: String(repeating: "[", count: 119) + "…"
        ),
        BadReply("a byte order mark and nothing", body: .json("\u{FEFF}"), excerpt: ""),
        BadReply(
            "bytes that are not text",
            body: .json(bytes: [0xFF, 0xFE, 0xFD]),
            excerpt: "\u{FFFD}\u{FFFD}\u{FFFD}"
        ),
    ]

    static let all: [BadReply] = broken + statuses + limits + bodies
}

extension BrowseError.RequestInfo {
    /// The same request by nobody, as clients without a token send it.
    var anonymous: Self {
        var info = self
        info.isAnonymous = true
        return info
    }
}
