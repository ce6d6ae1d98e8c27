import BrowseData
public import Foundation

extension ScriptedServer.Response {
    /// A service, which determines the format of failures.
    public enum Service: Hashable, Sendable {
        /// GitHub's REST API.
        case gitHub
        /// The Rick and Morty API.
        case rickAndMorty
        /// The App Store's lookup.
        case appStore
        /// Any other service, with only the statuses of RFC 9110.
        case other
    }

    /// The response for something that doesn't exist: 404, or an empty result from the App Store.
    public static func notFound(by service: Service = .other) -> ScriptedServer.Response {
        switch service {
        case .gitHub: .fixture("GitHub/error-not-found", status: 404)
        case .rickAndMorty: .fixture("RickAndMorty/error-nothing-here", status: 404)
        case .appStore: .json(emptyAppStoreResult, headers: appStoreHeaders)
        case .other: .status(404)
        }
    }

    /// The response when a client has used up its rate limit.
    ///
    /// GitHub answers 403 with the time of the reset, the Rick and Morty API and others 429 with `Retry-After`, and the App
    /// Store 403 without a time.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - end: The end of the limit.
    ///   - now: The current time, with which `Retry-After` is calculated.
    public static func rateLimited(
        by service: Service = .other,
        until end: Date,
        now: Date = Date()
    ) -> ScriptedServer.Response {
        let seconds = max(0, end.timeIntervalSince(now).rounded(.up))
        let retryAfter: HTTPHeaders = ["Retry-After": "\(Int(exactly: seconds) ?? .max)"]
        return switch service {
        case .gitHub:
            .fixture(
                "GitHub/error-rate-limited",
                status: 403,
                headers: [
                    "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0", "X-RateLimit-Used": "60",
                    "X-RateLimit-Resource": "core",
                    "X-RateLimit-Reset": "\(Int64(exactly: end.timeIntervalSince1970.rounded(.up)) ?? .max)",
                ]
            )
        case .rickAndMorty: .fixture("RickAndMorty/error-rate-limited", status: 429, headers: retryAfter)
        case .appStore: .json(emptyAppStoreResult, status: 403, headers: appStoreHeaders)
        case .other: .status(429, headers: retryAfter)
        }
    }

    private static var emptyAppStoreResult: String { "\n\n\n{\n \"resultCount\":0,\n \"results\": []\n}\n\n\n" }

    private static var appStoreHeaders: HTTPHeaders { ["Content-Type": "text/javascript; charset=utf-8"] }
}
