@_spi(Services) public import BrowseData
import BrowseDomain
public import Foundation

extension HTTPClient.Service {
    /// Returns the service of the App Store's public lookup, the iTunes Search API.
    ///
    /// - Parameters:
    ///   - baseURL: `https://itunes.apple.com`.
    ///   - userAgent: The name of the app.
    public static func appStore(baseURL: URL, userAgent: String) -> HTTPClient.Service {
        var service = HTTPClient.Service(
            baseURL: baseURL,
            headers: ["Accept": "application/json, text/javascript", "User-Agent": userAgent],
            failure: AppStoreFailure.error(for:info:now:)
        )
        let json = Evidence.json(alsoAs: "text/javascript")
        // Also over the rate limit.
        service.evidence = Evidence { json.isProven($0) || $0.status == 403 && $0.isBare }
        service.shownQueryItems = ["bundleId", "country", "entity", "id", "lang", "media", "term"]
        return service
    }
}

/// Maps error responses of the App Store.
///
/// Apple documents a limit of about 20 calls per minute, but no error responses; the rest is based
/// on observations.
private enum AppStoreFailure {
    static func error(for response: HTTPClient.Response, info: BrowseError.RequestInfo, now: Date) -> BrowseError {
        let dto = try? response.decoded(AppStoreRowsDTO.self)
        let info = info.reporting(dto?.errorMessage, about: response.url)
        // Over the rate limit, the body is empty or a search without results.
        let isLimit = response.isBlank || dto?.results?.rows.isEmpty == true || response.headers["Retry-After"] != nil
        guard response.status == 403, isLimit else { return BrowseError(response, info: info, now: now) }
        return .rateLimited(BrowseError.RateLimit(response.headers, now: now), info)
    }
}

extension HTTPClient.Response {
    /// Decodes the rows of the envelope.
    ///
    /// - Throws: `ResponseFailure` for an empty body or an error message of the service, or the
    ///   decoder's error.
    func appStoreRows() throws -> LossyArray<AppStoreRowsDTO.Row> {
        guard !isBlank else { throw ResponseFailure(.empty) }
        let dto = try json(AppStoreRowsDTO.self, alsoAs: "text/javascript")
        if let results = dto.results { return results }
        throw ResponseFailure { [message = dto.errorMessage ?? "", url] info in
            .rejected(info.reporting(message, about: url))
        }
    }

    /// Whether the body is empty or white space.
    fileprivate var isBlank: Bool { body.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }
}

extension BrowseError.RequestInfo {
    /// Adds the service's message, which is about invalid values, and the country that it refused.
    ///
    /// Observed: `Invalid value(s) for key(s): [country]`.
    fileprivate func reporting(_ message: String?, about url: URL) -> Self {
        var info = reporting(message)
        guard let message else { return info }
        // The app sets these, and not the person.
        let ofApp = ["[language]", "[resultEntity]", "[mediaType]", "[limit]"]
        if !ofApp.contains(where: message.contains) { info.rejection = .input }
        guard message.contains("[country]") else { return info }
        let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems
        info.refusedRegion = items?.first { $0.name == "country" }?.value
        return info
    }
}
