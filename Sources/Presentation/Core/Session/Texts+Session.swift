public import BrowseDomain

// swift-format-ignore
extension Phrase {
    static let signInFailedTitle = Phrase("signIn.failed.title", "Couldn’t Sign In", ko: "로그인하지 못함")
    /// The text for a failed sign-in.
    static func signInFailed(_ failure: BrowseError.SignInFailure, at service: Phrase) -> Phrase {
        switch failure {
        case .notConfigured, .redirectMismatch:
            Phrase("signIn.notConfigured", "This app isn’t set up for this sign-in method.",
                ko: "이 앱에는 이 로그인 방법이 설정되어 있지 않습니다.")
        case .denied:
            Phrase("signIn.denied", "\(service) didn’t give this app access to your account.",
                ko: "이 앱에 \(service) 계정 접근 권한이 부여되지 않았습니다.")
        case .expired:
            Phrase("signIn.expired", "The time to sign in has expired. Try again.",
                ko: "로그인 유효 시간이 지났습니다. 다시 시도하십시오.")
        case .invalidCode:
            Phrase("signIn.invalidCode", "\(service) doesn’t recognize this code. It may have been used before. Try again.",
                ko: "\(service)에서 코드를 인식하지 못했습니다. 이미 사용한 코드일 수 있습니다. 다시 시도하십시오.")
        case .incorrectClient:
            Phrase("signIn.incorrectClient", "\(service) doesn’t recognize this app. Contact its developer.",
                ko: "\(service)에서 이 앱을 인식하지 못했습니다. 앱 개발자에게 문의하십시오.")
        case .unverifiedEmail:
            Phrase("signIn.unverifiedEmail", "\(service) requires a verified email address. Verify yours there, and then try again.",
                ko: "\(service)에서 이메일 주소를 인증한 후 다시 시도하십시오.")
        case .deviceFlowDisabled:
            Phrase("signIn.deviceFlowDisabled", "This server doesn’t offer signing in with a code. Use the browser instead.",
                ko: "이 서버는 코드를 사용한 로그인을 제공하지 않습니다. 대신 브라우저를 사용하십시오.")
        case .alreadyUsed:
            Phrase("signIn.alreadyUsed", "This sign-in has already been used. Try again.",
                ko: "이미 사용한 로그인 요청입니다. 다시 시도하십시오.")
        case .callback:
            Phrase("signIn.callback", "The response doesn’t belong to this sign-in. Try again.",
                ko: "이 로그인에 대한 응답이 아닙니다. 다시 시도하십시오.")
        case .other:
            Phrase("signIn.other", "\(service) couldn’t sign you in. Try again.",
                ko: "\(service)에 로그인하지 못했습니다. 다시 시도하십시오.")
        }
    }

    fileprivate static let tokenNotUsable = Phrase("signIn.token",
        "This token isn’t valid. It’s empty or contains characters that aren’t allowed.",
        ko: "유효한 토큰이 아닙니다. 비어 있거나 사용할 수 없는 문자가 포함되어 있습니다.")
    fileprivate static func tokenNotAccepted(by service: Phrase) -> Phrase {
        Phrase("signIn.token.refused", "\(service) doesn’t accept this token. Check it, or create another one.",
            ko: "\(service)에서 이 토큰을 승인하지 않습니다. 토큰을 확인하거나 새로 만드십시오.")
    }
    static let browserFailed = Phrase("signIn.browser", "The browser couldn’t be opened. Try again.",
        ko: "브라우저를 열 수 없습니다. 다시 시도하십시오.")
    static func typeCode(_ code: String, at page: String) -> Phrase {
        Phrase("signIn.code", "Enter \(code) at \(page)", ko: "\(page)에서 \(code) 입력")
    }

    fileprivate static let signedOutTitle = Phrase("account.signedOut.title", "Not Signed In", ko: "로그인하지 않음")
    fileprivate static let signedOut = Phrase("account.signedOut", "Sign in to see your account.",
        ko: "내 계정을 보려면 로그인하십시오.")
    fileprivate static func signInExpired(at service: Phrase) -> Phrase {
        Phrase("account.signedOut.expired", "Your sign-in to \(service) has expired. Sign in again.",
            ko: "\(service) 로그인이 만료되었습니다. 다시 로그인하십시오.")
    }
    fileprivate static func signInRefused(by service: Phrase) -> Phrase {
        Phrase("account.signedOut.refused", "\(service) didn’t accept the token of this sign-in. Sign in again.",
            ko: "\(service)에서 이 로그인의 토큰을 승인하지 않았습니다. 다시 로그인하십시오.")
    }
    fileprivate static func signedOut(by service: Phrase) -> Phrase {
        Phrase("account.signedOut.revoked", "\(service) signed you out. Sign in again.",
            ko: "\(service)에서 로그아웃되었습니다. 다시 로그인하십시오.")
    }
    fileprivate static let tokenNotDeleted = Phrase("account.tokenNotDeleted",
        "Your sign-in is still on this device, so this app may be signed in again the next time you open it.",
        ko: "로그인 정보가 기기에 남아 있어 다음에 앱을 열 때 다시 로그인될 수 있습니다.")
    fileprivate static let tokenNotRevokedTitle = Phrase("account.tokenNotRevoked.title", "Signed Out on This Device",
        ko: "이 기기에서 로그아웃됨")
    fileprivate static func tokenNotRevoked(by service: Phrase) -> Phrase {
        Phrase("account.tokenNotRevoked",
            "This app may still have access to your \(service) account. To remove it, go to your \(service) settings.",
            ko: "이 앱이 \(service) 계정에 계속 접근할 수 있습니다. \(service) 설정에서 이 앱을 삭제하십시오.")
    }
}

extension Texts {
    /// The message for text that can't be a token.
    var tokenNotUsable: Message {
        message(.signInFailed, .tokenNotUsable, titled: .signInFailedTitle, action: .changeInput)
    }

    /// The message for a pasted token that the service refuses.
    var tokenNotAccepted: Message {
        message(.signInFailed, .tokenNotAccepted(by: service.name), titled: .tokenRefusedTitle, action: .changeInput)
    }

    /// Returns the message for people who aren't signed in, with the action that helps.
    public func message(for reason: SignOutReason) -> Message {
        switch reason {
        case .noSession, .requested: message(.unauthorized, .signedOut, titled: .signedOutTitle, action: .signIn)
        case .revoked: message(.unauthorized, .signedOut(by: service.name), titled: .signedOutTitle, action: .signIn)
        case .expired:
            message(.unauthorized, .signInExpired(at: service.name), titled: .signedOutTitle, action: .signIn)
        case .refused:
            message(.unauthorized, .signInRefused(by: service.name), titled: .tokenRefusedTitle, action: .signIn)
        case .tokenRefused:
            message(.unauthorized, .tokenRefused(service.name), titled: .tokenRefusedTitle, action: .retry)
        case .storage(let failure): storage(failure, titled: .signedOutTitle, ifDamaged: .signIn)
        }
    }

    /// The message for a session that can't be read before the device is unlocked.
    public var deviceLocked: Message {
        message(for: SignOutReason.storage(StorageFailure(reason: .locked, file: "session")))
    }

    /// Returns the message for signing out with a token that the service or the device couldn't
    /// delete.
    public func signOutMessage(for error: BrowseError) -> Message {
        if case .storageFailed = error {
            return modified(message(for: error).ofChange) { $0.text += " " + self(.tokenNotDeleted) }
        }
        return message(.signInFailed, .tokenNotRevoked(by: service.name), titled: .tokenNotRevokedTitle)
    }
}
