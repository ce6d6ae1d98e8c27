public import Foundation

/// Signs in with OAuth: with a code that the user enters on another device, or in a browser.
///
/// Source: RFC 8628 (device flow), RFC 6749 (section 4.1), and RFC 7636 (PKCE).
public struct OAuthSignIn: Sendable {
    package let authorization: any AuthorizationRepository
    package let clock: any Clock<Duration>
    package let now: @Sendable () -> Date
    let random: @Sendable () -> UInt8

    /// Creates a use case.
    ///
    /// - Parameters:
    ///   - authorization: Makes the requests.
    ///   - clock: Measures polling intervals, and the time of sign-ins that begin in this process.
    ///   - now: Returns the current time, from which rate limits end, and sign-ins of other
    ///     processes expire.
    ///   - random: Returns unpredictable bytes; the default is the system's generator.
    public init(
        authorization: any AuthorizationRepository,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        random: @escaping @Sendable () -> UInt8 = { UInt8.random(in: .min ... .max) }
    ) {
        self.authorization = authorization
        self.clock = clock
        self.now = now
        self.random = random
    }

    /// Polls until the user has entered a code of the device flow.
    ///
    /// Only an error of the OAuth server ends it (RFC 8628, section 3.5). A poll that it doesn't
    /// answer is repeated after a longer pause, not before the end of a rate limit, and a last time
    /// before the code expires. A code that the server knew, and then doesn't, is tried twice more:
    /// while a person authorizes it, that can be so for a moment.
    ///
    /// - Parameters:
    ///   - code: The code.
    ///   - elapsed: The part of its lifetime that has passed.
    ///   - report: Called with the error of each poll that isn't answered, and with `nil` when one
    ///     is answered again.
    /// - Throws: ``BrowseError``: `.signInFailed(.denied)` if the user refused,
    ///   `.signInFailed(.expired)` if the code expires before the next poll; `.rateLimited` if it
    ///   expires before the end of a rate limit.
    public func finish(
        _ code: DeviceCode,
        after elapsed: Duration = .zero,
        reporting report: @Sendable (BrowseError?) async -> Void = { _ in }
    ) async throws(BrowseError) -> Credentials {
        var interval = max(code.interval, .seconds(1))
        // The longer pause after polls without an answer, and the last one's error.
        var delay = Duration.zero
        var failure = BrowseError?.none
        // The times that a code may be unknown which the server knew before.
        var doubts = 0
        let polling = clock.stopwatch()
        while true {
            let rateLimit = failure?.retryAt.map { Duration.clampedSeconds($0.timeIntervalSince(now())) } ?? .zero
            let remaining = code.lifetime - elapsed - polling()
            guard max(interval, rateLimit) <= remaining else {
                if let failure, rateLimit > interval + delay { throw failure }
                throw .signInFailed(.expired)
            }
            let pause = max(interval, rateLimit, min(interval + delay, remaining - .seconds(1)))
            guard await clock.pause(pause, before: "a poll for a code"), !Task.isCancelled else { throw .cancelled }
            do throws(BrowseError) {
                switch try await authorization.poll(code) {
                case .granted(let credentials): return credentials
                case .pending: break
                case .slowDown(let newInterval): interval = max(interval + Self.step, newInterval ?? .zero)
                }
                if failure != nil { await report(nil) }
                failure = nil
                delay = .zero
                doubts = 2
            } catch {
                switch error {
                case .signInFailed(.invalidCode) where doubts > 0: doubts -= 1
                case .cancelled, .signInFailed, .refused(.invalidConfiguration, _): throw error
                default:
                    await report(error)
                    failure = error
                    delay += Self.step
                }
            }
        }
    }

    /// The increase of the interval (RFC 8628, section 3.5).
    private static var step: Duration { .seconds(5) }
}
