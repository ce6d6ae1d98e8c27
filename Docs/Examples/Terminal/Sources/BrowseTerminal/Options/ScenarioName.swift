import ArgumentParser
package import BrowseMocks
package import Foundation

/// A scenario of the bundled data, as it is written on a command line.
package enum ScenarioName: String, ExpressibleByArgument, CaseIterable, Sendable {
    case normal
    case empty
    case serverError = "server-error"
    case slow
    case rateLimited = "rate-limited"
    case offline

    /// - Parameter now: The current time, from which the wait of ``rateLimited`` is counted.
    package func scenario(now: Date) -> Scenario {
        switch self {
        case .normal: .normal
        case .empty: .empty
        case .serverError: .serverError
        // Long enough to see the progress, and to press Ctrl-C.
        case .slow: .slow(.seconds(2))
        case .rateLimited: .rateLimited(until: now.addingTimeInterval(15 * 60))
        case .offline: .offline
        }
    }
}
