public import Foundation

/// The behavior of an offline service; it can change while the service is in use.
public enum Scenario: Hashable, Sendable {
    /// Requests are answered as by the service.
    case normal
    /// Lists are empty, and counts are zero.
    case empty
    /// The server fails, with a status such as 502.
    case serverError
    /// Every response is delayed by a duration of the service's clock.
    case slow(Duration)
    /// The rate limit is used up until a date of the service's time; then it acts as ``normal``.
    case rateLimited(until: Date)
    /// There is no network.
    case offline
}
