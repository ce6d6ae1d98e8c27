import BrowseDomain
import Foundation

/// What `login/oauth/access_token` answers: a token, or, with the same status 200, an error.
struct TokenReplyDTO: Decodable, Sendable {
    let accessToken: String?
    let scope: String?
    let expiresIn: Double?
    let refreshToken: String?
    let refreshTokenExpiresIn: Double?
    let error: String?
    /// The new interval that comes with `slow_down`.
    let interval: Double?

    private enum CodingKeys: String, CodingKey {
        case scope, error, interval
        case accessToken = "access_token"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
        case refreshTokenExpiresIn = "refresh_token_expires_in"
    }
}

extension GitHub.Credentials {
    /// - Throws: `.signInFailed` when the reply is an error, ``UnusableReply`` when it is neither that nor a token.
    init(_ dto: TokenReplyDTO, now: Date) throws {
        if let error = dto.error { throw BrowseError.signInFailed(BrowseError.SignInFailure(gitHub: error)) }
        guard let token = dto.accessToken.flatMap({ try? Secret($0) }) else { throw UnusableReply(reason: .status) }
        self.init(
            token: token,
            expiresAt: dto.expiresIn.map { now.addingTimeInterval($0) },
            refreshToken: dto.refreshToken.flatMap { try? Secret($0) },
            refreshExpiresAt: dto.refreshTokenExpiresIn.map { now.addingTimeInterval($0) },
            scopes: (dto.scope ?? "").split { $0 == "," || $0 == " " }.map(String.init)
        )
    }
}

/// What `login/device/code` answers.
struct DeviceCodeDTO: Decodable, Sendable {
    let deviceCode: String?
    let userCode: String?
    let verificationURI: String?
    let expiresIn: Double?
    let interval: Double?
    let error: String?

    private enum CodingKeys: String, CodingKey {
        case interval, error
        case deviceCode = "device_code"
        case userCode = "user_code"
        case verificationURI = "verification_uri"
        case expiresIn = "expires_in"
    }
}

extension GitHub.DeviceCode {
    /// - Throws: `.signInFailed` when the reply is an error, ``UnusableReply`` when it is neither that nor a code.
    init(_ dto: DeviceCodeDTO) throws {
        if let error = dto.error { throw BrowseError.signInFailed(BrowseError.SignInFailure(gitHub: error)) }
        guard let deviceCode = dto.deviceCode.flatMap({ try? Secret($0) }), let userCode = dto.userCode,
            !userCode.isEmpty, let page = dto.verificationURI.map(WebAddress.init(rawValue:)), page.url != nil
        else { throw UnusableReply(reason: .status) }
        self.init(
            userCode: userCode,
            page: page,
            lifetime: .seconds(min(max(dto.expiresIn ?? 900, 0), 86_400)),
            // RFC 8628, section 3.2: five seconds when the server does not say.
            interval: .seconds(min(max(dto.interval ?? 5, 1), 3600)),
            deviceCode: deviceCode
        )
    }
}
