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
