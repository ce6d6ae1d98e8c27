/// Signs in by the device flow: the user enters a short code on another device.
///
/// Source: RFC 8628.
public struct SignInOnDevice: Sendable {
    private let authorization: any AuthorizationRepository
    private let clock: any Clock<Duration>

    /// Creates a use case.
    ///
    /// - Parameters:
    ///   - authorization: Requests the code and polls.
    ///   - clock: Measures the polling interval and the code's lifetime.
    public init(
        authorization: any AuthorizationRepository,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.authorization = authorization
        self.clock = clock
    }

    /// Requests a code, shows it, and polls until the user has entered it.
    ///
    /// A poll that fails because of the network or the server is repeated after a longer interval.
    ///
    /// - Parameter show: Shows the code to the user; called once.
    /// - Throws: ``BrowseError``: `.signInFailed(.denied)` if the user refused, `.signInFailed(.expired)` if the code
    ///   expired.
    public func callAsFunction(
        show: @Sendable (DeviceCode) async -> Void
    ) async throws(BrowseError) -> Credentials {
        let code = try await authorization.deviceCode()
        await show(code)
        return try await wait(for: code, on: clock)
    }

    private func wait<Time: Clock>(
        for code: DeviceCode,
        on clock: Time
    ) async throws(BrowseError) -> Credentials where Time.Duration == Duration {
        var interval = max(code.interval, .seconds(1))
        let start = clock.now
        while true {
            guard start.duration(to: clock.now) + interval <= code.lifetime else {
                throw .signInFailed(.expired)
            }
            guard (try? await clock.sleep(for: interval)) != nil, !Task.isCancelled else { throw .cancelled }
            do throws(BrowseError) {
                switch try await authorization.poll(code) {
                case .granted(let credentials): return credentials
                case .pending: break
                case .slowDown(let newInterval): interval = max(interval + Self.step, newInterval ?? .zero)
                }
            } catch {
                guard error.isPassing else { throw error }
                interval += Self.step
            }
        }
    }

    /// The increase of the interval (RFC 8628, section 3.5).
    private static var step: Duration { .seconds(5) }
}

extension BrowseError {
    /// Whether a later poll may succeed.
    fileprivate var isPassing: Bool {
        switch self {
        case .unreachable, .timedOut, .rateLimited, .serverFailure: true
        case .cancelled, .unauthorized, .forbidden, .notFound, .rejected, .unusableResponse, .refused, .storageFailed,
            .signInFailed:
            false
        }
    }
}
