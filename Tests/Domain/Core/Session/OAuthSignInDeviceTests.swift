import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite(.bounded)
struct `Sign-in on a device` {
    private let clock = TestClock()
    private let polls = ControlledResponses<Duration, DevicePoll>()
    private let info = BrowseError.RequestInfo(endpoint: "POST /login/oauth/access_token")

    private func code(lifetime: Duration = .seconds(900), interval: Duration = .seconds(5)) throws -> DeviceCode {
        DeviceCode(
            userCode: "WDJB-MJHT",
            page: WebAddress(rawValue: "https://github.com/login/device"),
            lifetime: lifetime,
            interval: interval,
            deviceCode: try Secret("device")
        )
    }

    private func credentials() throws -> Credentials { Credentials(token: try Secret("token")) }

    /// Signs in; polls record their times.
    private func signIn(with code: DeviceCode) -> Task<Credentials, any Error> {
        let authorization = InMemoryAuthorizationRepository { [clock, polls] call throws(BrowseError) in
            if call == .deviceCode { return .code(code) }
            #expect(call == .poll(code))
            return .poll(try await polls.response(to: clock.now.offset))
        }
        let signIn = OAuthSignIn(
            authorization: authorization,
            clock: clock,
            now: { [clock] in
                Date(timeIntervalSince1970: clock.now.offset / .seconds(1))
            }
        )
        return Task {
            #expect(try await authorization.deviceCode() == code)
            return try await signIn.finish(code)
        }
    }

    /// Advances the clock until the next poll.
    private func waitForPoll(_ number: Int, after pause: Duration) async {
        await clock.waitForSleepers(1)
        await clock.advance(by: pause - .milliseconds(1))
        #expect(polls.requests.count == number)
        await clock.advance(by: .milliseconds(1))
        await polls.waitForRequests(number + 1)
    }

    @Test func `polls at GitHub's interval, and slows down on request`() async throws {
        let signIn = signIn(with: try code())
        await waitForPoll(0, after: .seconds(5))
        polls.answer(0, with: .success(.pending))
        await waitForPoll(1, after: .seconds(5))
        polls.answer(1, with: .success(.slowDown(nil)))
        await waitForPoll(2, after: .seconds(10))
        polls.answer(2, with: .success(.slowDown(.seconds(30))))
        await waitForPoll(3, after: .seconds(30))
        // The interval never decreases.
        polls.answer(3, with: .success(.slowDown(.seconds(1))))
        await waitForPoll(4, after: .seconds(35))
        polls.answer(4, with: .success(.granted(try credentials())))
        #expect(try await signIn.value == credentials())
    }

    @Test func `stops polling when the code expires`() async throws {
        let signIn = signIn(with: try code(lifetime: .seconds(12)))
        await waitForPoll(0, after: .seconds(5))
        polls.answer(0, with: .success(.pending))
        await waitForPoll(1, after: .seconds(5))
        polls.answer(1, with: .success(.pending))
        await #expect(throws: BrowseError.signInFailed(.expired)) { try await signIn.value }
        #expect(polls.requests == [.seconds(5), .seconds(10)])
    }

    @Test(arguments: [BrowseError.SignInFailure.denied, .expired, .invalidCode, .deviceFlowDisabled, .incorrectClient])
    func `ends when GitHub refuses`(failure: BrowseError.SignInFailure) async throws {
        let signIn = signIn(with: try code())
        await waitForPoll(0, after: .seconds(5))
        polls.answer(0, with: .failure(.signInFailed(failure)))
        await #expect(throws: BrowseError.signInFailed(failure)) { try await signIn.value }
    }

    /// modelcontextprotocol/registry#1543, cli/cli#9302
    @Test(arguments: [2, 3])
    func `tries a code that GitHub knew twice more`(refusals: Int) async throws {
        let signIn = signIn(with: try code())
        await waitForPoll(0, after: .seconds(5))
        polls.answer(0, with: .success(.pending))
        for number in 1...refusals {
            await waitForPoll(number, after: .seconds(5))
            polls.answer(number, with: .failure(.signInFailed(.invalidCode)))
        }
        guard refusals < 3 else {
            await #expect(throws: BrowseError.signInFailed(.invalidCode)) { try await signIn.value }
            return
        }
        await waitForPoll(3, after: .seconds(5))
        polls.answer(3, with: .success(.granted(try credentials())))
        #expect(try await signIn.value == credentials())
    }

    @Test func `continues after network failures, with a longer interval`() async throws {
        let signIn = signIn(with: try code())
        let failures: [BrowseError] = [
            .unreachable(.offline, info), .timedOut(info), .serverFailure(info),
            .rateLimited(.init(kind: .secondary, retryAt: .distantPast, isServerTime: false), info),
        ]
        for (number, failure) in failures.enumerated() {
            await waitForPoll(number, after: .seconds(5 * (number + 1)))
            polls.answer(number, with: .failure(failure))
        }
        await waitForPoll(4, after: .seconds(25))
        polls.answer(4, with: .success(.granted(try credentials())))
        #expect(try await signIn.value == credentials())
    }

    @Test func `doesn't poll before a rate limit ends, and then at the interval again`() async throws {
        let signIn = signIn(with: try code())
        await waitForPoll(0, after: .seconds(5))
        let end = Date(timeIntervalSince1970: 65)
        polls.answer(0, with: .failure(.rateLimited(.init(kind: .secondary, retryAt: end, isServerTime: true), info)))
        await waitForPoll(1, after: .seconds(60))
        polls.answer(1, with: .success(.pending))
        await waitForPoll(2, after: .seconds(5))
        polls.answer(2, with: .success(.granted(try credentials())))
        #expect(try await signIn.value == credentials())
    }

    @Test func `reports a rate limit that ends after the code, instead of an expired code`() async throws {
        let signIn = signIn(with: try code(lifetime: .seconds(60)))
        await waitForPoll(0, after: .seconds(5))
        let end = Date(timeIntervalSince1970: 3600)
        let refusal = BrowseError.rateLimited(.init(kind: .primary, retryAt: end, isServerTime: true), info)
        polls.answer(0, with: .failure(refusal))
        await #expect(throws: refusal) { try await signIn.value }
    }

    @Test func `ends at once when it is canceled between polls or during one`() async throws {
        let waiting = signIn(with: try code())
        await clock.waitForSleepers(1)
        waiting.cancel()
        await #expect(throws: BrowseError.cancelled) { try await waiting.value }
        #expect(polls.requests.isEmpty)

        let asking = signIn(with: try code())
        await waitForPoll(0, after: .seconds(5))
        asking.cancel()
        await #expect(throws: BrowseError.cancelled) { try await asking.value }
    }

    @Test func `polls at most once a second`() async throws {
        let signIn = signIn(with: try code(interval: .zero))
        await waitForPoll(0, after: .seconds(1))
        signIn.cancel()
        _ = try? await signIn.value
    }
}
