public import Foundation

/// Signs in by the device flow: the user enters a short code on another device.
///
/// Source: RFC 8628.
public struct SignInOnDevice: Sendable {
    private let authorization: any AuthorizationRepository
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date

    /// Creates a use case.
    ///
    /// - Parameters:
    ///   - authorization: Requests the code and polls.
    ///   - clock: Measures the polling interval and the code's lifetime.
    ///   - now: Returns the current time, which is compared with the end of rate limits.
    public init(
        authorization: any AuthorizationRepository,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.authorization = authorization
        self.clock = clock
        self.now = now
    }

    /// Requests a code; show it to the user.
    public func begin() async throws(BrowseError) -> DeviceCode { try await authorization.deviceCode() }

    /// Polls until the user has entered a code.
    ///
    /// A poll that fails because of the network or the server is repeated after a longer interval, and not before the end of a rate
    /// limit.
    ///
    /// - Parameters:
    ///   - code: The code.
    ///   - elapsed: The part of its lifetime that has passed.
    /// - Throws: ``BrowseError``: `.signInFailed(.denied)` if the user refused, `.signInFailed(.expired)` if the code expires
    ///   before the next poll; `.rateLimited` if it expires before the end of a rate limit.
    public func finish(_ code: DeviceCode, after elapsed: Duration = .zero) async throws(BrowseError) -> Credentials {
        var interval = max(code.interval, .seconds(1))
        var (rateLimit, refusal) = (Duration.zero, BrowseError?.none)
        let polling = clock.stopwatch()
        while true {
            let pause = max(interval, rateLimit)
            guard elapsed + polling() + pause <= code.lifetime else { throw refusal ?? .signInFailed(.expired) }
            guard (try? await clock.sleep(for: pause)) != nil, !Task.isCancelled else { throw .cancelled }
            (rateLimit, refusal) = (.zero, nil)
            do throws(BrowseError) {
                switch try await authorization.poll(code) {
                case .granted(let credentials): return credentials
                case .pending: break
                case .slowDown(let newInterval): interval = max(interval + Self.step, newInterval ?? .zero)
                }
            } catch {
                guard error.isPassing else { throw error }
                interval += Self.step
                if case .rateLimited(let limit, _) = error {
                    rateLimit = .clampedSeconds(limit.retryAt.timeIntervalSince(now()))
                    if rateLimit > interval { refusal = error }
                }
            }
        }
    }

    /// The increase of the interval (RFC 8628, section 3.5).
    private static var step: Duration { .seconds(5) }
}
