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
    /// evidence that a response is the server's.
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

/// The response of an OAuth server: a token, a device code, or an error.
///
/// Some servers send errors with status 200.
///
/// Sources: RFC 6749 (section 5) and RFC 8628 (section 3.2).
struct OAuthDTO: Decodable {
    /// A number, which some servers send as text.
    private struct Seconds: Decodable {
        let count: Double

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let text = try? container.decode(String.self)
            count = try text.flatMap { UInt32($0) }.map(Double.init) ?? container.decode(Double.self)
        }
    }

    private let json: KeyedDecodingContainer<JSONKey>

    init(from decoder: any Decoder) throws { json = try decoder.container(keyedBy: JSONKey.self) }

    /// A text; `nil` if it's missing, or of another type.
    subscript(name: JSONKey) -> String? { json[name] }

    /// A time in seconds; `nil` if it's missing, or of another type.
    func seconds(_ name: JSONKey) -> Double? { (json[name] as Seconds?)?.count }

    /// The error that the server reports; `nil` if there is none.
    var failure: BrowseError? { self["error"]?.nonBlank.map { .signInFailed(BrowseError.SignInFailure(code: $0)) } }

    /// - Parameter isRefresh: Whether a session exists already. It goes on without a refresh token
    ///   that can't be stored; a new one would end at its first refresh.
    /// - Throws: `.signInFailed` for an error, or ``ResponseFailure`` with `.status` without a
    ///   token.
    func credentials(issuedAt now: Date, isRefresh: Bool = false) throws -> Credentials {
        if let failure { throw failure }
        let refresh = self["refresh_token"].flatMap { try? Secret($0) }
        guard let token = self["access_token"].flatMap({ try? Secret($0) }),
            isRefresh || refresh != nil || (self["refresh_token"] ?? "").isEmpty
        else { throw ResponseFailure(.status) }
        var credentials = Credentials(
            token: token,
            expiresAt: seconds("expires_in").map(now.addingTimeInterval),
            refreshToken: refresh,
            scopes: (self["scope"] ?? "").split { $0 == "," || $0 == " " }.map(String.init)
        )
        credentials.issuedAt = now
        credentials.hasUnusableRefreshToken = refresh == nil && !(self["refresh_token"] ?? "").isEmpty
        return credentials
    }

    /// - Throws: `.signInFailed` for an error, or ``ResponseFailure`` with `.status` without a
    ///   code, or if its page has user info, or uses http on a host other than loopback.
    func code() throws -> DeviceCode {
        if let failure { throw failure }
        // Early drafts of RFC 8628 have the latter, which some servers still use.
        let address = self["verification_uri"] ?? self["verification_url"]
        guard let deviceCode = self["device_code"].flatMap({ try? Secret($0) }),
            // As a person can type it.
            let userCode = self["user_code"].map({ TypedText($0).text }), !userCode.isEmpty,
            // Without user info, which no web address has.
            let page = address.map(WebAddress.init(rawValue:)), let url = page.url,
            Origin(url)?.isPrivate == true
        else { throw ResponseFailure(.status) }
        return DeviceCode(
            userCode: userCode,
            page: page,
            lifetime: .seconds((seconds("expires_in") ?? 900).clamped(to: 0...86_400)),
            // RFC 8628, section 3.2: the default is five seconds.
            interval: .seconds((seconds("interval") ?? 5).clamped(to: 1...3600)),
            deviceCode: deviceCode
        )
    }
}
