import BrowseDomain
public import Foundation

extension HTTPClient.Service {
    /// The Rick and Morty API.
    ///
    /// - Parameters:
    ///   - baseURL: `https://rickandmortyapi.com/api`, or wherever else it is served.
    ///   - userAgent: The name of the app.
    ///   - now: The current time, from which waits are counted.
    public static func rickAndMorty(
        baseURL: URL,
        userAgent: String,
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> HTTPClient.Service {
        HTTPClient.Service(
            baseURL: baseURL,
            headers: ["Accept": "application/json", "User-Agent": userAgent],
            failure: { response, info in RickAndMortyFailure.error(for: response, info: info, now: now()) }
        )
    }
}

/// What the Rick and Morty API means by a status other than success.
///
/// Source: the API's own code (github.com/afuh/rick-and-morty-api, `utils/helpers.js`).
enum RickAndMortyFailure {
    static func error(for response: HTTPResponse, info: BrowseError.RequestInfo, now: Date) -> BrowseError {
        let message = try? RickAndMortyCoding.decoder.decode(ErrorDTO.self, from: response.body).error
        var info = info
        info.serverMessage = message.map { Excerpt.masking($0, limit: 200) }
        guard response.status != 429 else {
            return .rateLimited(BrowseError.RateLimit(response.headers, now: now), info)
        }
        return BrowseError(status: response.status, info: info)
    }

    /// Whether a 404 says that a page or a filter has no results.
    ///
    /// Only by the API's own words: a 404 of anything else, such as a wrong address, is a failure.
    static func isEmptyList(_ info: BrowseError.RequestInfo) -> Bool {
        info.serverMessage?.lowercased() == "there is nothing here"
    }

    /// Whether a 404 says that there is no such thing, as in `Character not found`.
    static func isMissing(_ info: BrowseError.RequestInfo) -> Bool {
        info.serverMessage?.lowercased().hasSuffix(" not found") == true
    }

    private struct ErrorDTO: Decodable {
        let error: String

        private enum CodingKeys: String, CodingKey {
            case error
        }
    }
}

/// What all of the API's responses are read with.
enum RickAndMortyCoding {
    /// One decoder for the service: it is thread-safe, and making one costs more than a small response.
    static let decoder = JSONDecoder()

    /// A time as the API writes it, with milliseconds, or without; `nil` when it is neither.
    static func date(_ text: String?) -> Date? {
        guard let text else { return nil }
        let precise = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return (try? Date(text, strategy: precise)) ?? (try? Date(text, strategy: .iso8601))
    }
}
