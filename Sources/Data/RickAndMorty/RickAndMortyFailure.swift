import BrowseData
import BrowseDomain
import Foundation

/// Maps error responses of the Rick and Morty API.
///
/// Source: the API's code (github.com/afuh/rick-and-morty-api, `utils/helpers.js`).
enum RickAndMortyFailure {
    static func error(for response: HTTPClient.Response, info: BrowseError.RequestInfo, now: Date) -> BrowseError {
        let message = try? response.decoded(ErrorDTO.self).error
        return BrowseError(response, info: info.reporting(message), now: now)
    }

    /// Whether a 404 means a missing entity, by the API's message, such as `Character not found`.
    static func isMissing(_ info: BrowseError.RequestInfo) -> Bool {
        info.serverMessage?.lowercased().hasSuffix(" not found") == true
    }

    private struct ErrorDTO: Decodable {
        let error: String
    }
}
