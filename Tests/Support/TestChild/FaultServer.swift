#if os(macOS) || os(Linux)
import BrowseMocks
import Foundation
import Synchronization
import TestSupport

/// A server with changing items that fails at random.
///
/// A seed, the path, and the number of requests for it determine the failures. Like GitHub, the server has a rate limit per
/// account and hour.
final class FaultServer: Sendable {
    fileprivate struct Budget {
        var used = 0
        var resetsAt = Date.distantPast
    }

    fileprivate struct State {
        var versions: [String: Int] = [:]
        var attempts: [String: Int] = [:]
        /// The number of arrivals of each request that isn't safe to repeat.
        var posts: [String: Int] = [:]
        var budgets: [String: Budget] = [:]
        var refusals = 0
        var arrivals = 0
        /// Responses that wait for other requests.
        var slow: [LoopbackGate] = []
    }

    /// A failure that doesn't affect later requests.
    fileprivate enum Fault {
        case reset, close, cut, resetMidway, slow, stall
        case status(Int, [(String, String)] = [], String = #"{"message":"Something is wrong"}"#)
        case html, halfJSON, empty, unconditionalNotModified, notModifiedWithOtherETag
    }

    static let budgetLimit = 400
    static let budgetDuration: TimeInterval = 3600

    private let core: Core
    private let server: LoopbackServer

    fileprivate final class Core: Sendable {
        let state = Mutex(State())
        let seed: UInt64
        let cutsHeads: Bool
        let now: @Sendable () -> Date

        init(seed: UInt64, cutsHeads: Bool, now: @escaping @Sendable () -> Date) {
            self.seed = seed
            self.cutsHeads = cutsHeads
            self.now = now
        }
    }

    init(seed: UInt64, cutsHeads: Bool, now: @escaping @Sendable () -> Date) throws {
        let core = Core(seed: seed, cutsHeads: cutsHeads, now: now)
        self.core = core
        server = try LoopbackServer(isRecording: false) { core.response(to: $0) }
    }

    var origin: String { server.origin }
    /// The number of requests.
    var arrivals: Int { core.state.withLock { $0.arrivals } }
    /// The number of requests that exceeded the rate limit.
    var refusals: Int { core.state.withLock { $0.refusals } }
    /// The number of arrivals of each request that isn't safe to repeat.
    var posts: [String: Int] { core.state.withLock { $0.posts } }
    /// Returns the current version of the item at a path.
    func version(of path: String) -> Int { core.state.withLock { $0.versions[path, default: 0] } }
    /// Stops all connections and threads.
    func stop() { server.stop() }
}

extension FaultServer.Core {
    func response(to request: LoopbackServer.Request) -> LoopbackResponse {
        let account = request.header("Authorization").map { String($0.suffix(1)) } ?? ""
        let now = now()
        var random = SeededGenerator(seed: 0)
        let (version, budget, slow) = state.withLock { state in
            state.arrivals += 1
            state.attempts[request.target, default: 0] += 1
            let attempt = state.attempts[request.target, default: 0]
            random = SeededGenerator(
                seed: SeededGenerator.hash("\(request.method) \(request.target) \(attempt)", seed: seed)
            )
            if request.method == "POST" { state.posts[request.target, default: 0] += 1 }
            if Int.random(in: 0..<6, using: &random) == 0 { state.versions[request.target, default: 0] += 1 }
            let budget = state.spend(account, at: now)
            let slow = state.slow
            if slow.count > 4 { state.slow = [] }
            return (state.versions[request.target, default: 0], budget, slow.count > 4 ? slow : [])
        }
        for gate in slow { gate.open() }
        let headers = [
            ("X-RateLimit-Limit", "\(FaultServer.budgetLimit)"),
            ("X-RateLimit-Remaining", "\(max(0, FaultServer.budgetLimit - budget.used))"),
            ("X-RateLimit-Reset", "\(Int(budget.resetsAt.timeIntervalSince1970))"),
            ("X-RateLimit-Resource", "core"), ("X-GitHub-Media-Type", "github.v3"),
        ]
        guard budget.used <= FaultServer.budgetLimit else {
            return .json(#"{"message":"API rate limit exceeded"}"#, status: 403, headers: headers)
        }
        guard let fault = fault(&random) else {
            return good(request, account, version, headers)
        }
        return bad(fault, request, good(request, account, version, headers), headers)
    }

    private func fault(_ random: inout SeededGenerator) -> FaultServer.Fault? {
        switch Int.random(in: 0..<1000, using: &random) {
        case 0..<30: .reset
        case 30..<50: .close
        case 50..<80: .cut
        case 80..<100: .resetMidway
        case 100..<140: .slow
        case 140..<142: .stall
        case 142..<155: .status(500)
        case 155..<170: .status(502)
        case 170..<180: .status(503)
        case 180..<190: .status(503, [("Retry-After", "2")])
        case 190..<200: .status(504)
        case 200..<205: .status(408)
        case 205..<213: .status(429, [("Retry-After", "\(Int.random(in: 0...30, using: &random))")])
        case 213..<216: .status(429)
        case 216..<219: .status(403, [], #"{"message":"You have exceeded a secondary rate limit."}"#)
        case 219..<225: .status(404)
        case 225..<245: .html
        case 245..<255: .halfJSON
        case 255..<260: .empty
        case 260..<265: .unconditionalNotModified
        case 265..<270: .notModifiedWithOtherETag
        default: nil
        }
    }

    private func bad(
        _ fault: FaultServer.Fault,
        _ request: LoopbackServer.Request,
        _ good: LoopbackResponse,
        _ headers: [(String, String)]
    ) -> LoopbackResponse {
        guard case .bytes(let bytes) = good.steps.first else { return good }
        switch fault {
        case .reset: return LoopbackResponse(steps: [.reset])
        case .close: return LoopbackResponse(steps: [.close])
        case .cut:
            if cutsHeads, bytes.count % 2 == 0 {
                return LoopbackResponse(steps: [.bytes(Array(bytes.prefix(bytes.count / 3))), .close])
            }
            let head = (bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? 0)
            return LoopbackResponse(steps: [
                .bytes(Array(bytes.prefix(max(head, bytes.count - 1 - bytes.count / 3)))), .close,
            ])
        case .resetMidway: return LoopbackResponse(steps: [.bytes(Array(bytes.prefix(bytes.count / 2))), .reset])
        case .slow:
            let gate = LoopbackGate()
            state.withLock { $0.slow.append(gate) }
            return LoopbackResponse(steps: [
                .bytes(Array(bytes.prefix(bytes.count / 2))), .holdUntil(gate),
                .bytes(Array(bytes.dropFirst(bytes.count / 2))),
            ])
        case .stall: return LoopbackResponse(steps: [.bytes(Array(bytes.prefix(20))), .hold])
        case .status(let status, let others, let body): return .json(body, status: status, headers: headers + others)
        case .html:
            return LoopbackResponse(
                headers: headers + [("Content-Type", "text/html")],
                body: "<html>Sign in to the café</html>"
            )
        case .halfJSON: return .json(#"{"path":"\#(request.target)","version":"#, headers: headers)
        case .empty: return .json("", headers: headers)
        case .unconditionalNotModified:
            return request.header("If-None-Match") == nil && request.header("If-Modified-Since") == nil
                ? LoopbackResponse(status: 304, headers: headers) : good
        case .notModifiedWithOtherETag: return LoopbackResponse(status: 304, headers: headers + [("ETag", "\"other\"")])
        }
    }

    private func good(
        _ request: LoopbackServer.Request,
        _ account: String,
        _ version: Int,
        _ headers: [(String, String)]
    ) -> LoopbackResponse {
        let language = request.header("Accept-Language") ?? ""
        let item = FaultItem(path: request.target, version: version, language: language, account: account)
        var headers = headers + [("Vary", "Accept-Language, Authorization")]
        let etag = "\"\(version)-\(language)-\(account)\""
        let modified = Self.date(version)
        var isSame = false
        switch SeededGenerator.hash(request.target) % 4 {
        case 0:
            headers.append(("ETag", etag))
            isSame = request.header("If-None-Match") == etag
        case 1:
            headers += [("ETag", "W/" + etag), ("Last-Modified", modified)]
            isSame = request.header("If-None-Match") == "W/" + etag
        case 2:
            headers.append(("Last-Modified", modified))
            isSame = request.header("If-Modified-Since") == modified
        default: break
        }
        if isSame { return LoopbackResponse(status: 304, headers: headers) }
        guard let body = try? String(decoding: JSONEncoder().encode(item), as: UTF8.self) else {
            return LoopbackResponse(status: 500)
        }
        // Like GitHub's, 304 responses have no `Link` header.
        return .json(body, headers: headers + [("Link", "<\(request.target)?version=\(version)>; rel=\"next\"")])
    }

    /// The modification date of a version, one second per version.
    private static func date(_ version: Int) -> String {
        let (minutes, seconds) = version.quotientAndRemainder(dividingBy: 60)
        let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
        return
            "Sun, 04 Jan 2026 \([hours, rest, seconds].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")) GMT"
    }
}

extension FaultServer.State {
    fileprivate mutating func spend(_ account: String, at now: Date) -> FaultServer.Budget {
        var budget = budgets[account] ?? FaultServer.Budget()
        if budget.resetsAt <= now {
            let reset = (now.timeIntervalSince1970 + FaultServer.budgetDuration).rounded(.up)
            budget = FaultServer.Budget(used: 0, resetsAt: Date(timeIntervalSince1970: reset))
        }
        budget.used += 1
        if budget.used > FaultServer.budgetLimit { refusals += 1 }
        budgets[account] = budget
        return budget
    }
}
#endif
