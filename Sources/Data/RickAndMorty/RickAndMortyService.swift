public import BrowseData
import BrowseDomain
public import Foundation

extension HTTPClient.Service {
    /// Returns the service of the Rick and Morty API.
    ///
    /// - Parameters:
    ///   - baseURL: `https://rickandmortyapi.com/api`, or the URL of another server.
    ///   - userAgent: The name of the app.
    public static func rickAndMorty(baseURL: URL, userAgent: String) -> HTTPClient.Service {
        var service = HTTPClient.Service.json(baseURL: baseURL, userAgent: userAgent)
        service.failure = RickAndMortyFailure.error(for:info:now:)
        service.shownQueryItems = ["gender", "name", "species", "status", "type"]
        return service
    }
}

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
