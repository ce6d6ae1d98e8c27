@_spi(Services) import BrowseDomain
import Foundation

/// The response of an OAuth server: a token, a device code, or an error.
///
/// Some servers send errors with status 200.
///
/// Sources: RFC 6749 (section 5) and RFC 8628 (section 3.2).
struct OAuthDTO: Decodable {
    private let json: KeyedDecodingContainer<JSONKey>

    init(from decoder: any Decoder) throws { json = try decoder.container(keyedBy: JSONKey.self) }

    /// A text; `nil` if it's missing, or of another type.
    subscript(name: JSONKey) -> String? { json[name] }

    /// A time in seconds, also as text; `nil` if it's missing, or of another type.
    func seconds(_ name: JSONKey) -> Double? {
        (json[name] as Double?) ?? self[name].flatMap { UInt32($0) }.map(Double.init)
    }

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
            // Twitch sends a list.
            scopes: self["scope"]?.split { $0 == "," || $0 == " " }.map(String.init) ?? json[list: "scope"]
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
