public import BrowseData
import BrowseDomain
import BrowseGitHubDomain
public import Foundation

extension HTTPClient.Service {
    /// Returns the service of GitHub's REST API, version 2022-11-28.
    ///
    /// - Parameters:
    ///   - baseURL: `https://api.github.com`, or `https://HOST/api/v3` for GitHub Enterprise Server.
    ///   - userAgent: The name of the app; GitHub rejects requests without one with 403.
    ///   - now: The current time, from which waits are measured.
    public static func gitHub(
        baseURL: URL,
        userAgent: String,
        now: @escaping @Sendable () -> Date = { Date() }
    ) -> HTTPClient.Service {
        var service = HTTPClient.Service(
            baseURL: baseURL,
            headers: [
                "Accept": "application/vnd.github+json",
                "X-GitHub-Api-Version": "2022-11-28",
                "User-Agent": userAgent,
            ],
            requestIDHeader: "X-GitHub-Request-Id",
            failure: { response, info in GitHubFailure.error(for: response, info: info, now: now()) }
        )
        service.isOwn = GitHubFailure.isOwn
        return service
    }
}

/// Maps error responses of GitHub.
///
/// Sources: GitHub's "Rate limits for the REST API" and "Troubleshooting the REST API", and recorded responses.
enum GitHubFailure {
    static func error(for response: HTTPResponse, info: BrowseError.RequestInfo, now: Date) -> BrowseError {
        let message = try? response.decoded(ErrorDTO.self).message
        let info = info.reporting(message)
        if [403, 429].contains(response.status), let limit = rateLimit(for: response, message: message, now: now) {
            return .rateLimited(limit, info)
        }
        return BrowseError(status: response.status, info: info)
    }

    /// Whether a response comes from GitHub, whose responses have an identifier.
    ///
    /// A proxy's or gateway's don't. Its 401 would end the session, and its page with another refusal isn't GitHub's word.
    @Sendable
    static func isOwn(_ response: HTTPResponse) -> Bool {
        guard (400..<500).contains(response.status), response.headers["X-GitHub-Request-Id"] == nil else { return true }
        return response.status != 401 && response.mediaType != "text/html"
    }

    /// The rate limit of a 403 or 429; `nil` if it isn't one.
    ///
    /// Too many failed sign-ins pause all requests with credentials for a while. The wait ends at `Retry-After`, otherwise at the reset if nothing remains, otherwise after 60 seconds.
    private static func rateLimit(for response: HTTPResponse, message: String?, now: Date) -> BrowseError.RateLimit? {
        let headers = response.headers
        let text = message?.lowercased() ?? ""
        let isSecondary = ["secondary rate limit", "abuse detection", "login attempts exceeded"].contains(
            where: text.contains
        )
        let isExhausted = headers["X-RateLimit-Remaining"] == "0"
        let retryAfter = RetryAfter.date(headers, now: now)
        let reset = RetryAfter.resetDate(headers, now: now)
        guard response.status == 429 || isSecondary || isExhausted || retryAfter != nil else { return nil }
        // After a reset in the past, the limit no longer applies.
        let serverTime = (retryAfter ?? (isExhausted ? reset : nil)).map { max($0, now) }
        return BrowseError.RateLimit(
            kind: isExhausted && !isSecondary ? .primary : .secondary,
            retryAt: serverTime ?? now.addingTimeInterval(60),
            isServerTime: serverTime != nil
        )
    }

    private struct ErrorDTO: Decodable {
        let message: String?
    }
}
