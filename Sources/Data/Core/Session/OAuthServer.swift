public import BrowseDomain
public import Foundation

/// The addresses of an OAuth server.
///
/// Paths are below the base URL of the client that sends the requests.
///
/// ```swift
/// OAuthServer(
///     page: url.appending(path: "authorize"),
///     token: "/token",
///     deviceCode: "/device/code",
///     revocation: "/revoke"
/// )
/// ```
public struct OAuthServer: Hashable, Sendable {
    /// The page on which a user authorizes an app (RFC 6749, section 3.1); `nil` if there is no web flow.
    public var page: URL?
    /// The path that issues and refreshes tokens (RFC 6749, section 3.2).
    public var token: EndpointPath
    /// The path that starts the device flow (RFC 8628, section 3.1); `nil` if there is none.
    public var deviceCode: EndpointPath?
    /// The path that revokes tokens (RFC 7009); `nil` if there is none.
    public var revocation: EndpointPath?

    /// Creates a description of a server.
    public init(page: URL?, token: EndpointPath, deviceCode: EndpointPath? = nil, revocation: EndpointPath? = nil) {
        self.page = page
        self.token = token
        self.deviceCode = deviceCode
        self.revocation = revocation
    }
}

extension HTTPClient.Service {
    /// Creates the service of an OAuth server.
    ///
    /// Error codes with a status below 500, but not 404, become `.signInFailed`.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL of the server's paths.
    ///   - userAgent: The name of the app.
    ///   - now: The current time, from which waits are measured.
    ///   - failure: Returns the error for any other failed response; `nil` uses `BrowseError.init(_:info:now:)`.
    public static func oAuth(
        baseURL: URL,
        userAgent: String,
        now: @escaping @Sendable () -> Date = { Date() },
        failure: (@Sendable (HTTPClient.Response, BrowseError.RequestInfo) -> BrowseError)? = nil
    ) -> HTTPClient.Service {
        // Without `Accept`, some servers respond with form encoding.
        var service = HTTPClient.Service.json(baseURL: baseURL, userAgent: userAgent)
        service.carriesSecrets = true
        // A captive portal can redirect; an OAuth server doesn't.
        service.isOwn = { isOwnJSONResponse($0) && !(300..<400).contains($0.status) }
        service.failure = { response, info in
            // A poll or refresh waits until then, whatever the body says.
            let isLater = RetryAfter.date(response.headers, now: now()) != nil && [403, 503].contains(response.status)
            if response.status == 429 || isLater {
                return .rateLimited(BrowseError.RateLimit(response.headers, now: now()), info)
            }
            // The status is 400 or 401 (RFC 6749, section 5.2); some servers send 200.
            if response.status < 500, response.status != 404, let error = (try? response.decoded(OAuthDTO.self))?.error
            {
                return .signInFailed(BrowseError.SignInFailure(code: error))
            }
            return failure?(response, info) ?? BrowseError(response, info: info, now: now())
        }
        return service
    }
}
