public import Foundation

/// How an offline service behaves.
///
/// It can be changed while the service is in use, to see what a screen does when the network goes away in the middle of a
/// list.
public enum Scenario: Hashable, Sendable {
    /// Everything works.
    case normal
    /// Everything works, and there is nothing: lists are empty, counts are zero.
    case empty
    /// The server fails at every request (502).
    case serverError
    /// Everything works, and each response comes this much later, by the service's clock.
    case slow(Duration)
    /// The budget is used up until this time (403).
    case rateLimited(until: Date)
    /// There is no network.
    case offline
}
