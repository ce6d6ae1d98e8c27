extension GitHub {
    /// Signs in without a browser on this device: the person types a short code on another one.
    ///
    /// Source: RFC 8628 and GitHub's "Authorizing OAuth apps", device flow.
    public struct SignInOnDevice: Sendable {
        private let authorization: any AuthorizationRepository
        private let clock: any Clock<Duration>

        /// Creates the rule.
        ///
        /// - Parameters:
        ///   - authorization: Whom to ask.
        ///   - clock: Measures the pauses between questions, and the code's life.
        public init(
            authorization: any AuthorizationRepository,
            clock: any Clock<Duration> = ContinuousClock()
        ) {
            self.authorization = authorization
            self.clock = clock
        }

        /// Asks for a code, shows it, and waits until the person has typed it.
        ///
        /// A question that fails by the network's fault is asked again after a longer pause.
        ///
        /// - Parameter show: Shows the code to the person; called once.
        /// - Throws: ``BrowseError``: `.signInFailed` with `.denied`, or `.expired` when the code's life is over,
        ///   `.cancelled` when the caller was cancelled.
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
                    case .slowDown(let wanted): interval = max(interval + Self.step, wanted ?? .zero)
                    }
                } catch {
                    guard error.isPassing else { throw error }
                    interval += Self.step
                }
            }
        }

        /// By how much the interval grows, as RFC 8628 (section 3.5) has it.
        private static var step: Duration { .seconds(5) }
    }
}

extension BrowseError {
    /// Whether the same question may have an answer later.
    fileprivate var isPassing: Bool {
        switch self {
        case .unreachable, .timedOut, .rateLimited, .serverFailure: true
        case .cancelled, .unauthorized, .forbidden, .notFound, .rejected, .unusableResponse, .refused, .storageFailed,
            .signInFailed:
            false
        }
    }
}
