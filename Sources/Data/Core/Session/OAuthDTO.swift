import BrowseDomain
import Foundation

/// The response of an OAuth server: a token, a device code, or an error.
///
/// Some servers send errors with status 200.
///
/// Sources: RFC 6749 (section 5) and RFC 8628 (section 3.2).
struct OAuthDTO: Decodable, Sendable {
    @Lenient var accessToken: String?
    @Lenient var refreshToken: String?
    @Lenient var scope: String?
    @Lenient var deviceCode: String?
    @Lenient var userCode: String?
    @Lenient var verificationURI: String?
    @Lenient var expiresIn: SecondsDTO?
    /// The time between polls; with the error `slow_down`, the new one.
    @Lenient var interval: SecondsDTO?
    @Lenient var error: String?

    private enum CodingKeys: String, CodingKey {
        case scope, interval, error
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case deviceCode = "device_code"
        case userCode = "user_code"
        case verificationURI = "verification_uri"
        case expiresIn = "expires_in"
    }

    /// - Throws: `.signInFailed` for an error, or ``ResponseFailure`` with `.status` without a token.
    func credentials(issuedAt now: Date) throws -> Credentials {
        if let error { throw BrowseError.signInFailed(BrowseError.SignInFailure(code: error)) }
        guard let token = accessToken.flatMap({ try? Secret($0) }) else { throw ResponseFailure(.status) }
        var credentials = Credentials(
            token: token,
            expiresAt: expiresIn.map { now.addingTimeInterval($0.value) },
            refreshToken: refreshToken.flatMap { try? Secret($0) },
            scopes: (scope ?? "").split { $0 == "," || $0 == " " }.map(String.init)
        )
        credentials.issuedAt = now
        return credentials
    }

    /// - Throws: `.signInFailed` for an error, or ``ResponseFailure`` with `.status` without a code, or if its page has user info,
    ///   or uses http on a host other than loopback.
    func code() throws -> DeviceCode {
        if let error { throw BrowseError.signInFailed(BrowseError.SignInFailure(code: error)) }
        guard let deviceCode = deviceCode.flatMap({ try? Secret($0) }), let userCode, !userCode.isEmpty,
            let page = verificationURI.map(WebAddress.init(rawValue:)), let url = page.url,
            Origin(url)?.isPrivate == true, url.user() == nil, url.password() == nil
        else { throw ResponseFailure(.status) }
        return DeviceCode(
            userCode: userCode,
            page: page,
            lifetime: .seconds((expiresIn?.value ?? 900).clamped(to: 0...86_400)),
            // RFC 8628, section 3.2: the default is five seconds.
            interval: .seconds((interval?.value ?? 5).clamped(to: 1...3600)),
            deviceCode: deviceCode
        )
    }
}

/// A number of seconds, which some servers send as text.
struct SecondsDTO: Decodable, Sendable {
    let value: Double

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Double.self) {
            value = number
            return
        }
        // Only decimal numbers: `Double` also parses hexadecimal ones, `nan`, and `inf`.
        let text = try container.decode(String.self)
        guard let number = Double(text), number.isFinite, text.utf8.allSatisfy({ "0123456789.-".utf8.contains($0) })
        else { throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not a number.") }
        value = number
    }
}
