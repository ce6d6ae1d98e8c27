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
        guard let value = environment[name], !value.isEmpty else { throw .missing }
        guard BaseURL.isPrivate(url) else { throw .unprotected }
        guard let token = try? AccessToken(value) else { throw .malformed }
        return token
    }
}
