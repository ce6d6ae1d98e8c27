public import BrowseCoreMocks
public import BrowseData
public import Foundation

extension HTTPHeaders {
    /// The field of GitHub's responses that proves that an error is GitHub's.
    ///
    /// ```swift
    /// server.on(.get, "/users/octocat", response: .status(403, headers: .gitHub))
    /// ```
    public static var gitHub: HTTPHeaders { ["X-GitHub-Media-Type": "github.v3; format=json"] }
}

extension ScriptedServer.Response {
    /// GitHub's response for something that doesn't exist.
    public static var gitHubNotFound: ScriptedServer.Response {
        .fixture("error-not-found", in: .gitHub, status: 404)
    }

    /// GitHub's response when a client has used up its rate limit: 403 with the time of the reset.
    ///
    /// - Parameter end: The end of the limit, which GitHub sends in whole seconds.
    public static func gitHubRateLimited(until end: Date) -> ScriptedServer.Response {
        .fixture(
            "error-rate-limited",
            in: .gitHub,
            status: 403,
            headers: [
                "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0", "X-RateLimit-Used": "60",
                "X-RateLimit-Resource": "core",
                "X-RateLimit-Reset": "\(Int64(exactly: end.timeIntervalSince1970.rounded(.up)) ?? .max)",
            ]
        )
    }
}
