#if os(macOS) || os(Linux)
import BrowseMocks
import TestSupport

/// A raw response with faults, determined by a number and a seed.
struct MutatedResponse {
    /// The result that the caller must get.
    enum Expectation {
        /// A response with this status and body.
        case response(status: Int, body: [UInt8])
        /// `.unreachable(.connectionLost)`.
        case lost
        /// `.timedOut`.
        case timeOut
        /// Any response within the limits, or any error of the transport but `.timedOut`.
        case any
    }

    /// The body limit of callers, in bytes.
    static let bodyLimit = 64 << 10

    let response: LoopbackResponse
    let expectation: Expectation
    /// Whether bytes can follow that don't belong to a response.
    let breaksProtocol: Bool

    init(number: Int, seed: UInt64) {
        var random = SeededGenerator(seed: SeededGenerator.hash("response \(number)", seed: seed))
        var raw = RawResponse(&random)
        let kind = Int.random(in: 0..<100, using: &random)
        breaksProtocol = kind >= 32
        switch kind {
        case 0..<15:
            // No fault, so that later requests reuse the connection.
            response = LoopbackResponse(steps: Self.pieces(raw.bytes, &random) + (raw.endsByClosing ? [.close] : []))
            expectation = .response(status: raw.status, body: raw.body)
        case 15..<30:
            let count = Int.random(in: 0..<raw.bytes.count, using: &random)
            let end: LoopbackResponse.Step = Bool.random(using: &random) ? .close : .reset
            response = LoopbackResponse(steps: Self.pieces(Array(raw.bytes.prefix(count)), &random) + [end])
            // A reset can overtake bytes sent before it, but it never completes a response.
            expectation = raw.isLost(after: count) ? .lost : .any
        case 30..<32:
            let count = Int.random(in: 0..<raw.bytes.count, using: &random)
            response = LoopbackResponse(steps: [.bytes(Array(raw.bytes.prefix(count))), .hold])
            expectation = .timeOut
        default:
            for _ in 0...Int.random(in: 0..<3, using: &random) { raw.mutate(&random) }
            response = LoopbackResponse(steps: Self.pieces(raw.bytes, &random) + [.close])
            expectation = .any
        }
    }

    /// Splits the bytes into up to five writes, or sometimes one per byte.
    private static func pieces(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [LoopbackResponse.Step] {
        if bytes.count < 2000, Int.random(in: 0..<20, using: &random) == 0 { return bytes.map { .bytes([$0]) } }
        var rest = bytes[...]
        var steps: [LoopbackResponse.Step] = []
        for _ in 0..<Int.random(in: 0..<5, using: &random) where rest.count > 1 {
            let count = Int.random(in: 1..<rest.count, using: &random)
            steps.append(.bytes(Array(rest.prefix(count))))
            rest = rest.dropFirst(count)
        }
        return steps + [.bytes(Array(rest))]
    }
}

/// The bytes of a valid response, with its status and body.
struct RawResponse {
    private(set) var bytes: [UInt8]
    let status: Int
    let body: [UInt8]
    /// Whether the body ends with the connection.
    private(set) var endsByClosing = false
    private var isChunked = false
    private var headEnd: Int

    init(_ random: inout SeededGenerator) {
        let hasBody = Int.random(in: 0..<10, using: &random) > 0
        status = hasBody ? [200, 201, 404, 422, 503].randomElement(using: &random) ?? 200 : 204
        let size = Int.random(in: 0..<Int.random(in: 1...8192, using: &random), using: &random)
        body = hasBody ? (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) } : []
        var head = ""
        for _ in 0..<(Int.random(in: 0..<8, using: &random) / 5) {
            head += "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n"
        }
        head += "HTTP/1.1 \(status) Status\r\nContent-Type: application/json\r\nETag: \"1\"\r\n"
        let framing = hasBody ? Int.random(in: 0..<3, using: &random) : 3
        var content: [UInt8] = []
        switch framing {
        case 0:
            head += "Content-Length: \(body.count)\r\n"
            content = body
        case 1:
            head += "Transfer-Encoding: chunked\r\n"
            isChunked = true
            content = Self.chunks(of: body, &random)
        case 2:
            head += "Connection: close\r\n"
            endsByClosing = true
            content = body
        default:
            break
        }
        let start = Array((head + "\r\n").utf8)
        headEnd = start.count
        bytes = start + content
    }

    private static func chunks(of body: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        let most = [1, 10, 1000].randomElement(using: &random) ?? 1
        let end = Bool.random(using: &random) ? ";name=value" : ""
        var result: [UInt8] = []
        var rest = body[...]
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 1...most, using: &random))
            result += Array("\(String(count, radix: 16))\(end)\r\n".utf8) + rest.prefix(count) + [13, 10]
            rest = rest.dropFirst(count)
        }
        let trailers = Bool.random(using: &random) ? "X-Trailer: 1\r\n" : ""
        return result + Array("0\r\n\(trailers)\r\n".utf8)
    }

    /// Whether the response is incomplete if the connection ends after `count` bytes.
    ///
    /// Chunks are complete without the last line feed, for which libcurl 7.88 doesn't wait.
    func isLost(after count: Int) -> Bool {
        count < headEnd || (!endsByClosing && count < bytes.count - (isChunked ? 1 : 0))
    }

    /// Breaks a rule of HTTP, or changes random bytes.
    mutating func mutate(_ random: inout SeededGenerator) {
        let position = Int.random(in: 0...bytes.count, using: &random)
        let inHead = Int.random(in: 0...min(headEnd, bytes.count), using: &random)
        switch Int.random(in: 0..<11, using: &random) {
        case 0 where position < bytes.count:
            bytes[position] = UInt8.random(in: 0...255, using: &random)
        case 1 where inHead < bytes.count:
            bytes[inHead] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2:
            bytes.insert(contentsOf: (0..<8).map { _ in UInt8.random(in: 0...255, using: &random) }, at: inHead)
        case 3:
            bytes.removeSubrange(inHead..<min(bytes.count, inHead + Int.random(in: 0..<20, using: &random)))
        case 4:
            bytes.insert(contentsOf: bytes[inHead..<min(bytes.count, inHead + 50)], at: inHead)
        case 5, 6, 7:
            insertLine(Self.lines.randomElement(using: &random) ?? "")
        case 8:
            replaceStatusLine(Self.statusLines.randomElement(using: &random) ?? "")
        case 9:
            let count = Int.random(in: 0..<20_000, using: &random)
            let kind = Int.random(in: 0..<3, using: &random)
            let line = ["X-\(count): a\r\n", "HTTP/1.1 103 Early\r\n\r\n", String(repeating: "a", count: 40)][kind]
            bytes.insert(contentsOf: (0..<count).flatMap { _ in Array(line.utf8) }, at: kind == 1 ? 0 : inHead)
        default:
            // An unsolicited second response.
            bytes += Array("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nBAD".utf8)
        }
        headEnd = min(headEnd, bytes.count)
    }

    private mutating func insertLine(_ line: String) {
        guard let end = bytes.firstRange(of: [13, 10])?.upperBound else { return }
        bytes.insert(contentsOf: line.utf8, at: end)
    }

    private mutating func replaceStatusLine(_ line: String) {
        guard let end = bytes.firstRange(of: [13, 10])?.lowerBound else { return }
        bytes.replaceSubrange(..<end, with: line.utf8)
    }

    private static let lines = [
        "Content-Length: 9223372036854775807\r\n", "Content-Length: 18446744073709551616\r\n", "Content-Length: -1\r\n",
        "Content-Length: 1e3\r\n", "Content-Length: 3\r\nContent-Length: 4\r\n", "Content-Length: 3, 3\r\n",
        "Content-Length:\r\n", "Content-Length: 0x10\r\n", "Transfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked, chunked\r\n", "Transfer-Encoding: identity\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Content-Encoding: gzip\r\n", "Content-Encoding: deflate\r\n", "Content-Encoding: br\r\n",
        "Content-Encoding: gzip, gzip, gzip, gzip, gzip, gzip, gzip, gzip\r\n", "Content-Encoding: unknown\r\n",
        "Connection: upgrade\r\nUpgrade: h2c\r\n", "Connection: close\r\n", "Keep-Alive: timeout=-1\r\n",
        "Set-Cookie: a=b; domain=127.0.0.1\r\n", "WWW-Authenticate: Basic realm=\"a\"\r\n",
        "WWW-Authenticate: Negotiate\r\n",
        "Strict-Transport-Security: max-age=99999999\r\n", "Alt-Svc: h2=\":1\"\r\n", "Location: /1\r\n",
        " folded\r\n", "No colon\r\n", ": no name\r\n", "Bad Name: a\r\n", "X: \u{0}\r\n", "X: a\rb\r\n", "\r\n", "\n",
        "X: \u{FF}\u{FE}\r\n", "ffffffffffffffff\r\n", "0\r\n\r\n", "-1\r\n",
    ]

    private static let statusLines = [
        "HTTP/1.0 200 OK", "HTTP/1.1 200", "HTTP/1.1", "HTTP/9.9 200 OK", "HTTP/2 200", "HTTP/1.1 0 None",
        "HTTP/1.1 99 Low",
        "HTTP/1.1 100 Continue", "HTTP/1.1 101 Switching Protocols", "HTTP/1.1 199 Interim", "HTTP/1.1 204 No Content",
        "HTTP/1.1 205 Reset", "HTTP/1.1 304 Not Modified", "HTTP/1.1 302 Found", "HTTP/1.1 303 See Other",
        "HTTP/1.1 307 Temporary", "HTTP/1.1 401 Unauthorized", "HTTP/1.1 407 Proxy", "HTTP/1.1 408 Timeout",
        "HTTP/1.1 417 Expectation", "HTTP/1.1 421 Misdirected", "HTTP/1.1 600 High", "HTTP/1.1 1000 Higher",
        "HTTP/1.1 -200 OK",
        "ICY 200 OK", "RTSP/1.0 200 OK", "HTTP/0.9 200 OK", "", "\u{0}\u{0}", "SSH-2.0-OpenSSH_9.9", "<html>",
    ]
}
#endif
