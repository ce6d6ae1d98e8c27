import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@testable import BrowseDomain

@Suite(.bounded) struct `A pending sign-in` {
    private let start = Date(timeIntervalSince1970: 1_700_000_000)

    private func web(_ verifier: String = "verifier", since start: Date? = nil) throws -> PendingSignIn {
        let signIn = WebSignIn(
            page: try #require(URL(string: "https://letters.example/authorize?state=state-1")),
            redirect: try #require(URL(string: "letters:/signed-in")),
            state: "state-1",
            verifier: try Secret(verifier)
        )
        return PendingSignIn(.web(signIn), startedAt: start ?? self.start)
    }

    private func device(lifetime: Duration = .seconds(900)) throws -> PendingSignIn {
        let code = DeviceCode(
            userCode: "WDJB-MJHT",
            page: WebAddress(rawValue: "https://letters.example/device"),
            lifetime: lifetime,
            interval: .seconds(5),
            deviceCode: try Secret("device-1")
        )
        return PendingSignIn(.device(code), startedAt: start)
    }

    @Test(arguments: [JSONEncoder.DateEncodingStrategy.deferredToDate, .iso8601, .secondsSince1970])
    func `is the same after it was encoded`(dates: JSONEncoder.DateEncodingStrategy) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = dates
        for signIn in [try web(), try device(), try device(lifetime: .milliseconds(1_500))] {
            let data = try encoder.encode(signIn)
            #expect(try JSONDecoder().decode(PendingSignIn.self, from: data) == signIn)
            let list = try PropertyListEncoder().encode(signIn)
            #expect(try PropertyListDecoder().decode(PendingSignIn.self, from: list) == signIn)
        }
    }

    @Test func `prints no secret`() throws {
        for signIn in [try web(), try device()] {
            var text = "\(signIn) \(String(reflecting: signIn)) \(String(describing: Optional(signIn)))"
            dump(signIn, to: &text)
            dump([signIn], to: &text)
            for secret in ["state-1", "verifier", "device-1", "WDJB", "letters"] { #expect(!text.contains(secret)) }
            #expect(text.hasPrefix("***"))
        }
    }

    @Test func `expires after ten minutes, or with its code`() throws {
        func lifetime(_ signIn: PendingSignIn) -> TimeInterval { signIn.expiresAt.timeIntervalSince(start) }
        #expect(try lifetime(web()) == 600)
        #expect(try lifetime(device()) == 600)
        #expect(try lifetime(device(lifetime: .seconds(300))) == 300)
        #expect(try web().isValid(at: start.addingTimeInterval(599.9)))
        #expect(try !web().isValid(at: start.addingTimeInterval(600)))
        // The clocks of two machines can differ, but not by much.
        #expect(try web().isValid(at: start.addingTimeInterval(-60)))
        #expect(try !web().isValid(at: start.addingTimeInterval(-61)))
    }

    @Test(arguments: [
        ("letters.example", "[]"), ("https://letters.example", "javascript://letters.example"),
        ("\"verifier\":\"verifier\"", "\"x\":1"),
        ("\"verifier\":\"verifier\"", "\"verifier\":\"\""), ("\"verifier\":\"verifier\"", "\"verifier\":\"a b\""),
        ("state-1\"", "\\u0000\""), ("\"state\":\"state-1\"", "\"state\":\"\""),
        ("\"redirect\":\"", "\"redirect\":\"/"),
        ("\"redirect\"", "\"other\""), ("1700000000", "1e999"), ("1700000000", "-1"), ("1700000000", "\"1700000000\""),
        ("1700000000", "null"), ("}", ""), ("{", "[{"),
    ])
    func `isn't decoded after a change that makes it invalid`(part: String, replacement: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        let text = String(decoding: try encoder.encode(try web()), as: UTF8.self)
        let edited = text.replacing(part, with: replacement)
        #expect(edited != text)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(PendingSignIn.self, from: Data(edited.utf8)) }
    }

    @Test(arguments: [
        ("\"lifetime\":900", "\"lifetime\":-1"), ("\"lifetime\":900", "\"lifetime\":1e999"),
        ("\"interval\":5", "\"x\":5"),
        ("device-1", ""), ("device-1", "\u{e9}"), ("\"userCode\":\"WDJB-MJHT\"", "\"userCode\":7"),
    ])
    func `of a device isn't decoded after a change that makes it invalid`(part: String, replacement: String) throws {
        let text = String(decoding: try JSONEncoder().encode(try device()), as: UTF8.self)
        let edited = text.replacing(part, with: replacement)
        #expect(edited != text)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(PendingSignIn.self, from: Data(edited.utf8)) }
    }

    @Test func `survives a lifetime that no duration has`() throws {
        let text = String(decoding: try JSONEncoder().encode(try device()), as: UTF8.self)
            .replacing("\"lifetime\":900", with: "\"lifetime\":1e300").replacing(
                "\"interval\":5",
                with: "\"interval\":1e300"
            )
        let signIn = try JSONDecoder().decode(PendingSignIn.self, from: Data(text.utf8))
        #expect(signIn.expiresAt == start.addingTimeInterval(600))
    }

    @Test func `is taken once, by one of many callers`() async throws {
        let session = GitHub.SessionManager.inMemory()
        let (signIn, start) = (try web(), start)
        let outcomes = await withTaskGroup(of: BrowseError?.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    await Result.of { () throws(BrowseError) in try await session.take(signIn, at: start) }.failure
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1)
        #expect(outcomes.count { $0 == .signInFailed(.alreadyUsed) } == 49)
        // A copy that was edited to live longer is the same sign-in.
        let later = start.addingTimeInterval(500)
        let copy = try web(since: later)
        await #expect(throws: BrowseError.signInFailed(.alreadyUsed)) { try await session.take(copy, at: later) }
        try await session.take(web("other"), at: start)
        await #expect(throws: BrowseError.signInFailed(.expired)) {
            try await session.take(web("third"), at: start.addingTimeInterval(600))
        }
    }

    @Test func `is forgotten when it has expired, so that a session doesn't keep all secrets`() async throws {
        let session = GitHub.SessionManager.inMemory()
        let later = start.addingTimeInterval(600)
        try await session.take(web(), at: start)
        try await session.take(web("other", since: later), at: later)
        // Only its own time refuses it.
        await #expect(throws: BrowseError.signInFailed(.expired)) { try await session.take(web(), at: later) }
        await #expect(throws: BrowseError.signInFailed(.alreadyUsed)) {
            try await session.take(web("other", since: later), at: later)
        }
    }

    @Test func `can be taken again after it was put back`() async throws {
        let session = GitHub.SessionManager.inMemory()
        for _ in 0..<3 {
            try await session.take(device(), at: start)
            await #expect(throws: BrowseError.signInFailed(.alreadyUsed)) {
                try await session.take(device(), at: start)
            }
            await session.putBack(try device())
        }
    }
}
