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

    /// A response with status 200 and a body that can't be decoded.
    private init(_ name: String, body: LoopbackResponse, path: String = "", reason: String = "not valid JSON") {
        self.init(name, body) { info in
            let failure = BrowseError.DecodingFailure(codingPath: path, reason: reason)
            return .unusableResponse(.decoding(failure), info.with(status: 200))
        }
    }
}

extension BrowseError.RequestInfo {
    fileprivate func with(status: Int) -> Self { Self(endpoint: endpoint, status: status) }
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
        BadResponse("100,000 brackets", body: .json(String(repeating: "[", count: 100_000))),
        BadResponse("a byte order mark and nothing", body: .json("\u{FEFF}")),
        BadResponse("bytes that are not text", body: .json(bytes: [0xFF, 0xFE, 0xFD])),
    ]

    static let all: [BadResponse] = broken + bodies
}

extension BrowseError.RequestInfo {
    /// The same request without a token.
    var anonymous: Self {
        var info = self
        info.hadNoCredentials = true
        return info
    }
}
