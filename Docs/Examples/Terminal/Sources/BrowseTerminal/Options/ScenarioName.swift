import ArgumentParser
import BrowseMocks
import Foundation

/// The name of a scenario on the command line.
enum ScenarioName: String, ExpressibleByArgument, CaseIterable, Sendable {
    case normal
    case empty
    case serverError = "server-error"
    case slow
    case rateLimited = "rate-limited"
    case offline

    /// Returns the scenario.
    ///
    /// - Parameter now: The current time, at which the wait of ``rateLimited`` starts.
    func scenario(now: Date) -> Scenario {
        switch self {
        case .normal: .normal
        case .empty: .empty
        case .serverError: .serverError
        // Long enough to see the progress and press Ctrl-C.
        case .slow: .slow(.seconds(2))
        case .rateLimited: .rateLimited(until: now.addingTimeInterval(15 * 60))
        case .offline: .offline
        }
    }
}
