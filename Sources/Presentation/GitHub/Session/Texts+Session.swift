public import BrowseDomain

extension Phrase {
    static let signInFailedTitle = Phrase("signIn.failed.title", "Couldn’t Sign In", ko: "로그인하지 못함")

    /// The text for a failed sign-in.
    static func signInFailed(_ failure: BrowseError.SignInFailure) -> Phrase {
        switch failure {
        case .notConfigured, .redirectMismatch:
            Phrase(
                "signIn.notConfigured",
                "This app isn’t set up for this way to sign in.",
                ko: "이 앱은 이 방법으로 로그인하도록 설정되어 있지 않습니다."
            )
        case .denied:
            Phrase("signIn.denied", "You didn’t give this app access.", ko: "이 앱의 접근을 허용하지 않았습니다.")
        case .expired:
            Phrase("signIn.expired", "The code has expired. Start again.", ko: "코드의 유효 시간이 지났습니다. 처음부터 다시 시도하십시오.")
        case .invalidCode:
            Phrase(
                "signIn.invalidCode",
                "GitHub doesn’t know this code, or it has been used before. Start again.",
                ko: "GitHub에서 알 수 없거나 이미 사용한 코드입니다. 처음부터 다시 시도하십시오."
            )
        case .incorrectClient:
            Phrase(
                "signIn.incorrectClient",
                "GitHub doesn’t know this app or its settings.",
                ko: "GitHub에서 이 앱 또는 앱의 설정을 알 수 없습니다."
            )
        case .unverifiedEmail:
            Phrase(
                "signIn.unverifiedEmail",
                "Verify your email address on GitHub first.",
                ko: "먼저 GitHub에서 이메일 주소를 확인하십시오."
            )
        case .deviceFlowDisabled:
            Phrase("signIn.deviceFlowDisabled", "This app can’t sign in with a code.", ko: "이 앱은 코드로 로그인할 수 없습니다.")
        case .callback:
            Phrase(
                "signIn.callback",
                "This response doesn’t belong to this sign-in, so it was ignored.",
                ko: "이 로그인에 대한 응답이 아니므로 무시했습니다."
            )
        case .other:
            Phrase(
                "signIn.other",
                "GitHub couldn’t sign you in. Start again.",
                ko: "GitHub에서 로그인하지 못했습니다. 처음부터 다시 시도하십시오."
            )
        }
    }

    fileprivate static let tokenNotUsable = Phrase(
        "signIn.token",
        "This isn’t a token. It’s empty, or contains characters that tokens never have.",
        ko: "토큰이 아닙니다. 비어 있거나 토큰에 사용되지 않는 문자가 있습니다."
    )
    static func typeCode(_ code: String, at page: String) -> Phrase {
        Phrase("signIn.code", "Enter \(code) at \(page)", ko: "\(page)에서 \(code) 입력")
    }

    fileprivate static let signedOutTitle = Phrase("account.signedOut.title", "Not Signed In", ko: "로그인하지 않음")
    fileprivate static let signedOut = Phrase(
        "account.signedOut",
        "Sign in to see your account.",
        ko: "내 계정을 보려면 로그인하십시오."
    )
    fileprivate static let signedOutByGitHub = Phrase(
        "account.signedOut.revoked",
        "GitHub ended the session. Sign in again.",
        ko: "GitHub에서 세션을 종료했습니다. 다시 로그인하십시오."
    )
    static let signOutTitle = Phrase("account.signOut.title", "Sign Out?", ko: "로그아웃하시겠습니까?")
    static func signOutQuestion(_ login: GitHub.Login) -> Phrase {
        Phrase("account.signOut.question", "You’re signed in as \(login).", ko: "\(login)(으)로 로그인되어 있습니다.")
    }
    static let signOutUnknown = Phrase(
        "account.signOut.unknown",
        "You’re signed in, but your account couldn’t be loaded.",
        ko: "로그인되어 있지만 계정을 불러오지 못했습니다."
    )
    static func signOutUnsent(_ count: Int) -> Phrase {
        Phrase(
            "account.signOut.unsent",
            plural: count,
            one: "1 star hasn’t been sent to GitHub yet and will be lost.",
            "\(count) stars haven’t been sent to GitHub yet and will be lost.",
            ko: "GitHub에 아직 보내지 않은 별표 \(count)개가 사라집니다."
        )
    }
    static let signOut = Phrase("account.signOut", "Sign Out", ko: "로그아웃")
    fileprivate static let tokenNotRevoked = Phrase(
        "account.tokenNotRevoked",
        "You’re signed out here, but GitHub couldn’t be notified. Remove this app in your GitHub settings.",
        ko: "이 기기에서는 로그아웃했지만 GitHub에 알리지 못했습니다. GitHub 설정에서 이 앱을 삭제하십시오."
    )
}

extension Texts {
    /// The message for text that can't be a token.
    var tokenNotUsable: Message {
        message(.signInFailed, .tokenNotUsable, titled: .signInFailedTitle, action: .changeInput)
    }

    /// Returns the message for people who aren't signed in, with the action that helps.
    public func message(for reason: GitHub.SignOutReason) -> Message {
        switch reason {
        case .noSession, .requested:
            message(.unauthorized, .signedOut, titled: .signedOutTitle, action: .signIn)
        case .revoked:
            message(.unauthorized, .signedOutByGitHub, titled: .signedOutTitle, action: .signIn)
        case .storage(let failure):
            message(.storage, phrase(for: failure.reason), titled: .signedOutTitle, action: .signIn)
        }
    }

    /// The message after signing out on this device only.
    func signedOutInPart(_ error: BrowseError) -> Message {
        if case .storageFailed = error { return message(for: error) }
        return message(.signInFailed, .tokenNotRevoked, titled: .signedOutTitle)
    }
}
