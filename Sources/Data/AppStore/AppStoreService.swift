public import BrowseData
import BrowseDomain
public import Foundation

extension HTTPClient.Service {
    /// Returns the service of the App Store's public lookup, the iTunes Search API.
    ///
    /// - Parameters:
    ///   - baseURL: `https://itunes.apple.com`.
    ///   - userAgent: The name of the app.
    ///   - now: The current time, from which waits are measured.
    public static func appStore(
        baseURL: URL,
        userAgent: String,
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> HTTPClient.Service {
        var service = HTTPClient.Service(
            baseURL: baseURL,
            headers: ["Accept": "application/json, text/javascript", "User-Agent": userAgent],
            failure: { response, info in AppStoreFailure.error(for: response, info: info, now: now()) }
        )
        // The service responds with JSON, also with a 404.
        service.isFromService = { isServiceResponse($0) && ($0.status == 429 || $0.status >= 500 || !$0.isPage) }
        service.shownQueryItems = ["bundleId", "country", "entity", "id", "lang", "media", "term"]
        return service
    }
}

/// Maps error responses of the App Store.
///
/// Apple documents a limit of about 20 calls per minute, but no error responses; the rest is based on observations.
enum AppStoreFailure {
    static func error(for response: HTTPClient.Response, info: BrowseError.RequestInfo, now: Date) -> BrowseError {
        let dto = try? response.decoded(AppStoreResponseDTO.self)
        let info = info.reporting(dto?.errorMessage)
        let hasRetryAfter = response.headers["Retry-After"] != nil
        switch response.status {
        case 429: return .rateLimited(BrowseError.RateLimit(response.headers, now: now), info)
        // Over the rate limit, the body is empty or a search without results.
        case 403 where response.isBlank || dto?.results?.isEmpty == true || hasRetryAfter:
            return .rateLimited(BrowseError.RateLimit(response.headers, now: now), info)
        default: return BrowseError(status: response.status, info: info)
        }
    }
}

extension HTTPClient.Response {
    /// Decodes the rows of the envelope.
    ///
    /// - Throws: `ResponseFailure` for an empty body or an error message of the service, or the decoder's error.
    func appStoreRows<Row: Decodable & Sendable>(_ type: Row.Type) throws -> LossyArray<Row> {
        guard !isBlank else { throw ResponseFailure(.empty) }
        let dto = try json(AppStoreRowsDTO<Row>.self, alsoAs: "text/javascript")
        if let results = dto.results { return results }
        throw ResponseFailure { [message = dto.errorMessage ?? ""] info in .rejected(info.reporting(message)) }
    }

    /// Whether the body is HTML, which can have the content type of other responses.
    fileprivate var isPage: Bool {
        mediaType == "text/html" || body.first { !Self.isSpace($0) } == UInt8(ascii: "<")
    }

    /// Whether the body is empty or white space.
    fileprivate var isBlank: Bool { body.allSatisfy(Self.isSpace) }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
