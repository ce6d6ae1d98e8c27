import BrowseDomain
public import Foundation

extension HTTPClient.Service {
    /// GitHub's REST API, version 2022-11-28.
    ///
    /// - Parameters:
    ///   - baseURL: `https://api.github.com`, or `https://HOST/api/v3` for GitHub Enterprise Server.
    ///   - userAgent: The name of the app; GitHub answers requests without one with 403.
    ///   - now: The current time, from which waits are counted.
    public static func gitHub(
        baseURL: URL,
        userAgent: String,
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> HTTPClient.Service {
        HTTPClient.Service(
            baseURL: baseURL,
            headers: [
                "Accept": "application/vnd.github+json",
                "X-GitHub-Api-Version": "2022-11-28",
                "User-Agent": userAgent,
            ],
            failure: { response, info in GitHubFailure.error(for: response, info: info, now: now()) }
        )
    }
}

/// What GitHub means by a status other than success.
///
/// Source: GitHub's "Rate limits for the REST API" and "Troubleshooting the REST API", and recorded responses.
enum GitHubFailure {
    static func error(for response: HTTPResponse, info: BrowseError.RequestInfo, now: Date) -> BrowseError {
        let message = try? GitHubCoding.decoder.decode(ErrorDTO.self, from: response.body).message
        var info = info
        info.serverMessage = message.map { Excerpt.masking($0, limit: 200) }
        if [403, 429].contains(response.status), let limit = rateLimit(for: response, message: message, now: now) {
            return .rateLimited(limit, info)
        }
        return BrowseError(status: response.status, info: info)
    }

    /// The wait that a 403 or 429 asks for; `nil` when it is a plain refusal.
    ///
    /// `Retry-After` first; else, when nothing remains, the time of the reset; else 60 seconds.
    private static func rateLimit(for response: HTTPResponse, message: String?, now: Date) -> BrowseError.RateLimit? {
        let headers = response.headers
        let text = message?.lowercased() ?? ""
        let isSecondary = text.contains("secondary rate limit") || text.contains("abuse detection")
        let isUsedUp = headers["X-RateLimit-Remaining"] == "0"
        let retryAfter = RetryAfter.date(headers, now: now)
        let reset = RetryAfter.resetDate(headers, now: now)
        guard response.status == 429 || isSecondary || isUsedUp || retryAfter != nil else { return nil }
        // A reset in the past means that the budget is whole again.
        let serverTime = (retryAfter ?? (isUsedUp ? reset : nil)).map { max($0, now) }
        return BrowseError.RateLimit(
            kind: isUsedUp && !isSecondary ? .primary : .secondary,
            retryAt: serverTime ?? now.addingTimeInterval(60),
            isServerTime: serverTime != nil
        )
    }

    private struct ErrorDTO: Decodable {
        let message: String?

        private enum CodingKeys: String, CodingKey {
            case message
        }
    }
}

/// What all of GitHub's responses are read with.
enum GitHubCoding {
    /// One decoder for the service: it is thread-safe, and making one costs more than a small response.
    static let decoder = JSONDecoder()
}

/// GitHub's largest page, in rows; it silently clamps more.
let gitHubPageSize = 100

extension Endpoint.QueryItem {
    /// Asks for GitHub's largest page.
    static var gitHubPageSize: Self { Self("per_page", String(BrowseData.gitHubPageSize)) }
}
