@_spi(Services) public import BrowseData
@_spi(Services) import BrowseDomain
public import Foundation

extension HTTPClient.Service {
    /// Returns the service of GitHub's REST API, version 2022-11-28.
    ///
    /// - Parameters:
    ///   - baseURL: `https://api.github.com`, or `https://HOST/api/v3` for GitHub Enterprise
    ///     Server.
    ///   - userAgent: The name of the app; GitHub rejects requests without one with 403.
    public static func gitHub(baseURL: URL, userAgent: String) -> HTTPClient.Service {
        var service = HTTPClient.Service(
            baseURL: baseURL,
            headers: [
                "Accept": "application/vnd.github+json",
                "X-GitHub-Api-Version": "2022-11-28",
                "User-Agent": userAgent,
            ],
            failure: GitHubFailure.error(for:info:now:)
        )
        service.requestIDHeader = "X-GitHub-Request-Id"
        service.evidence = .gitHub(at: baseURL)
        service.rateLimitReport = .gitHubRateLimits
        service.shownHeaders = [
            "X-Accepted-GitHub-Permissions", "X-Accepted-OAuth-Scopes", "X-GitHub-Api-Version", "X-GitHub-Request-Id",
            "X-OAuth-Scopes", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-RateLimit-Resource",
        ]
        service.shownQueryItems = ["direction", "q", "type"]
        return service
    }
}

extension HTTPClient.Service.Evidence {
    /// Returns the evidence of GitHub.
    ///
    /// It's a field with its prefix that requests don't have, or an error of its shape, with a page
    /// on GitHub's host or on that of the server.
    ///
    /// An Enterprise Server in private mode, or behind a balancer, sends neither with a 401, but
    /// its realm. Source: recorded responses.
    static func gitHub(at baseURL: URL) -> Self {
        var evidence = Self(realm: "GitHub") { response in
            let names = response.headers.fields.keys
            if names.contains(where: { $0.hasPrefix("x-github-") && $0 != "x-github-api-version" }) { return true }
            guard let error = try? response.decoded(GitHubFailure.ErrorDTO.self), error.message != nil,
                let page = error.documentationURL.value.flatMap(URL.init), let host = page.host()?.lowercased()
            else { return false }
            return page.scheme == "https" && page.port == nil && (host == "github.com" || host.hasSuffix(".github.com"))
                || page.isPage(of: baseURL)
        }
        evidence.isUnique = true
        evidence.lacksToken = { response in
            let message = (try? response.decoded(GitHubFailure.ErrorDTO.self))?.message
            // An Enterprise Server in private mode has the second sentence.
            return ["Requires authentication", "Must authenticate to access this API."].contains { $0 == message }
        }
        return evidence
    }
}

extension URL {
    /// Whether the page is on the server of an API, or on its website.
    func isPage(of api: URL) -> Bool {
        guard scheme == "https", user() == nil, let own = Origin(self)?.authority, let server = Origin(api)?.authority
        else { return false }
        return own == server || "api." + own == server
    }
}

extension Endpoint<RateLimitReport> {
    /// GitHub's `GET /rate_limit`, which doesn't count toward any limit.
    package static var gitHubRateLimits: Self {
        Endpoint(.path("/rate_limit"), headers: ["Cache-Control": "no-store"], bucket: nil) { response in
            let statuses = try response.json(RateLimitDTO.self).resources
                .compactMap { bucket, budget -> RateLimitStatus? in
                    guard let budget = budget.value else { return nil }
                    return RateLimitStatus(
                        bucket: bucket,
                        limit: budget.limit,
                        remaining: budget.remaining,
                        resetsAt: Date(timeIntervalSince1970: budget.reset)
                    )
                }
            return RateLimitReport(statuses, in: response)
        }
    }
}

/// The body of `GET /rate_limit`; the top-level `rate` is deprecated and equals `core`.
private struct RateLimitDTO: Decodable {
    struct Budget: Decodable, Sendable {
        let limit: Int
        let remaining: Int
        let reset: TimeInterval
    }

    let resources: [String: Lenient<Budget>]
}

extension ImageSizes {
    /// GitHub's avatars, of which it stores none above 460 pixels.
    package static let gitHubAvatars: ImageSizes = ImageSizes(
        prefix: "https://avatars.githubusercontent.com/",
        parameter: "s",
        sides: [64, 128, 256, 460]
    )
}

extension HTTPClient.Response {
    /// Expects 204: a portal's page with another status says nothing about a write.
    static let expectNoContent: @Sendable (HTTPClient.Response) throws -> Void = { response in
        guard response.status == 204 else { throw ResponseFailure(.status) }
    }
}
