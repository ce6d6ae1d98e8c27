import BrowseDomain
import Foundation

/// The response of a token endpoint: a token, or an error, which some servers send with status 200.
struct TokenResponseDTO: Decodable, Sendable {
    let accessToken: String?
    @Lenient var scope: String?
    @Lenient var expiresIn: SecondsDTO?
    @Lenient var refreshToken: String?
    let error: String?
    /// The new interval of a `slow_down` error.
    @Lenient var interval: SecondsDTO?

    private enum CodingKeys: String, CodingKey {
        case scope, error, interval
        case accessToken = "access_token"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
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

extension Credentials {
    /// - Throws: `.signInFailed` if the response is an error, ``ResponseFailure`` with `.status` if it's neither an error nor a token.
    init(_ dto: TokenResponseDTO, now: Date) throws {
        if let error = dto.error { throw BrowseError.signInFailed(BrowseError.SignInFailure(code: error)) }
        guard let token = dto.accessToken.flatMap({ try? Secret($0) }) else { throw ResponseFailure(.status) }
        self.init(
            token: token,
            expiresAt: dto.expiresIn.map { now.addingTimeInterval($0.value) },
            refreshToken: dto.refreshToken.flatMap { try? Secret($0) },
            scopes: (dto.scope ?? "").split { $0 == "," || $0 == " " }.map(String.init)
        )
        issuedAt = now
    }
}

/// The response of a device authorization endpoint (RFC 8628, section 3.2).
struct DeviceCodeDTO: Decodable, Sendable {
    let deviceCode: String?
    let userCode: String?
    let verificationURI: String?
    @Lenient var expiresIn: SecondsDTO?
    @Lenient var interval: SecondsDTO?
    let error: String?

    private enum CodingKeys: String, CodingKey {
        case interval, error
        case deviceCode = "device_code"
        case userCode = "user_code"
        case verificationURI = "verification_uri"
        case expiresIn = "expires_in"
    }
}

extension DeviceCode {
    /// - Throws: `.signInFailed` if the response is an error, ``ResponseFailure`` with `.status` if it's neither an error nor a
    ///   code, or if its page has user info, or uses http on a host other than loopback.
    init(_ dto: DeviceCodeDTO) throws {
        if let error = dto.error { throw BrowseError.signInFailed(BrowseError.SignInFailure(code: error)) }
        guard let deviceCode = dto.deviceCode.flatMap({ try? Secret($0) }), let userCode = dto.userCode,
            !userCode.isEmpty, let page = dto.verificationURI.map(WebAddress.init(rawValue:)), let url = page.url,
            Origin(url)?.isPrivate == true, url.user() == nil, url.password() == nil
        else { throw ResponseFailure(.status) }
        self.init(
            userCode: userCode,
            page: page,
            lifetime: .seconds((dto.expiresIn?.value ?? 900).clamped(to: 0...86_400)),
            // RFC 8628, section 3.2: the default is five seconds.
            interval: .seconds((dto.interval?.value ?? 5).clamped(to: 1...3600)),
            deviceCode: deviceCode
        )
    }
}
