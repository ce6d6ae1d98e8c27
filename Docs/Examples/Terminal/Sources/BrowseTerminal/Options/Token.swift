package import BrowseKit
import Foundation

/// Reads a token from an environment variable.
///
/// Errors repeat neither the value nor the variable's name, because people confuse the two.
package enum Token {
    package enum Problem: Error, Hashable, Sendable {
        case missing, malformed, unprotected

        package var phrase: Phrase {
            switch self {
            case .missing: .tokenMissing
            case .malformed: .tokenMalformed
            case .unprotected: .tokenUnprotected
            }
        }
    }

    package static func read(
        _ name: String,
        from environment: [String: String],
        for url: URL
    ) throws(Problem) -> AccessToken {
        guard environment[name]?.isEmpty == false else { throw .missing }
        guard BaseURL.isPrivate(url) else { throw .unprotected }
        // Secrets from files end in a line break.
        guard let token = try? AccessToken(environmentVariable: name, in: environment) else { throw .malformed }
        return token
    }
}
