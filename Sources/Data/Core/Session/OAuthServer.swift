@_spi(Services) public import BrowseDomain
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
    /// Revokes credentials at a server that doesn't follow RFC 7009.
    public typealias Revoke = @Sendable (_ credentials: Credentials, _ app: OAuthApp) async throws(BrowseError) -> Void

    /// The page on which a user authorizes an app (RFC 6749, section 3.1); `nil` if there is no web
    /// flow.
    package var page: URL?
    /// The path that issues and refreshes tokens (RFC 6749, section 3.2).
    package var token: EndpointPath
    /// The path that starts the device flow (RFC 8628, section 3.1); `nil` if there is none.
    package var deviceCode: EndpointPath?
    /// The path that revokes tokens (RFC 7009); `nil` if there is none.
    package var revocation: EndpointPath?

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
    /// Error codes with a status below 500, but not 404, become `.signInFailed`. They are also the
    /// evidence that a response is the server's. A 429 can also have the default evidence, that of
    /// ``Evidence/json(alsoAs:scheme:realm:)``.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL of the server's paths.
    ///   - userAgent: The name of the app.
    ///   - failure: Returns the error for any other failed response; `nil` uses
    ///     `BrowseError.init(_:info:now:)`.
    public static func oAuth(
        baseURL: URL,
        userAgent: String,
        failure: (@Sendable (HTTPClient.Response, BrowseError.RequestInfo, Date) -> BrowseError)? = nil
    ) -> HTTPClient.Service {
        // Without `Accept`, some servers respond with form encoding.
        var service = HTTPClient.Service.json(baseURL: baseURL, userAgent: userAgent)
        service.carriesSecrets = true
        service.evidence = Evidence { response in
            // A limit at the edge of the server has no error of OAuth.
            if response.status == 429, Evidence.json().isProven(response) { return true }
            let dto = try? response.decoded(OAuthDTO.self)
            return dto?.failure != nil || (dto?["access_token"] ?? dto?["device_code"]) != nil
        }
        service.failure = { response, info, now in
            // The status is 400 or 401 (RFC 6749, section 5.2); some servers send 200, or 429 for
            // `slow_down`, which makes polls less frequent.
            let dto = response.status < 500 && response.status != 404 ? (try? response.decoded(OAuthDTO.self)) : nil
            // A poll or refresh waits until then, whatever the body says.
            let ends = RetryAfter.date(response.headers, now: now) != nil && [403, 429, 503].contains(response.status)
            if ends || response.status == 429 && dto?["error"] != "slow_down" {
                return .rateLimited(BrowseError.RateLimit(response.headers, now: now), info)
            }
            return dto?.failure ?? failure?(response, info, now) ?? BrowseError(response, info: info, now: now)
        }
        return service
    }
}
