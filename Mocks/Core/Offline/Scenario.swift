public import Foundation

/// The behavior of an offline service; it can change while the service is in use.
public enum Scenario: Hashable, Sendable {
    /// Every request succeeds.
    case normal
    /// Every request succeeds, with empty lists and counts of zero.
    case empty
    /// The server fails, with a status such as 502.
    case serverError
    /// Every response is delayed by a duration of the service's clock.
    case slow(Duration)
    /// The rate limit is used up until a date.
    case rateLimited(until: Date)
    /// There is no network.
    case offline
}
