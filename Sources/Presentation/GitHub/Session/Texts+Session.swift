import BrowseDomain
public import BrowseGitHubDomain
public import BrowsePresentation

// swift-format-ignore
extension Phrase {
    fileprivate static let tokenNotUsable = Phrase("signIn.token",
        "This token isn’t valid. It’s empty or contains characters that aren’t allowed.",
        ko: "유효한 토큰이 아닙니다. 비어 있거나 사용할 수 없는 문자가 포함되어 있습니다.")
    fileprivate static let browserFailed = Phrase("signIn.browser", "The browser couldn’t be opened. Try again.",
        ko: "브라우저를 열 수 없습니다. 다시 시도하십시오.")
    static func typeCode(_ code: String, at page: String) -> Phrase {
        Phrase("signIn.code", "Enter \(code) at \(page)", ko: "\(page)에서 \(code) 입력")
    }

    fileprivate static let signedOutTitle = Phrase("account.signedOut.title", "Not Signed In", ko: "로그인하지 않음")
    fileprivate static let signedOut = Phrase("account.signedOut", "Sign in to see your account.",
        ko: "내 계정을 보려면 로그인하십시오.")
    fileprivate static let signedOutByGitHub = Phrase("account.signedOut.revoked", "GitHub signed you out. Sign in again.",
        ko: "GitHub에서 로그아웃되었습니다. 다시 로그인하십시오.")
    static let signOutTitle = Phrase("account.signOut.title", "Sign Out?", ko: "로그아웃하시겠습니까?")
    static func signOutQuestion(_ login: GitHub.Login) -> Phrase {
        Phrase("account.signOut.question", "You’re signed in as \(login).", ko: "\(login) 계정으로 로그인되어 있습니다.")
    }
    static let signOutUnknown = Phrase("account.signOut.unknown", "You’re signed in, but your account couldn’t be loaded.",
        ko: "로그인되어 있지만 계정을 불러오지 못했습니다.")
    static func signOutUnsent(_ count: Int) -> Phrase {
        Phrase("account.signOut.unsent", plural: count, one: "1 star hasn’t been sent to GitHub yet and will be lost.",
            "\(count) stars haven’t been sent to GitHub yet and will be lost.",
            ko: "GitHub에 아직 보내지 않은 별표 \(count)개가 사라집니다.")
    }
    static let signOut = Phrase("account.signOut", "Sign Out", ko: "로그아웃")
    fileprivate static let tokenNotRevokedTitle = Phrase("account.tokenNotRevoked.title", "Signed Out on This Device",
        ko: "이 기기에서 로그아웃됨")
    fileprivate static let tokenNotRevoked = Phrase("account.tokenNotRevoked",
        "This app may still have access to your GitHub account. To remove it, go to your GitHub settings.",
        ko: "이 앱이 GitHub 계정에 계속 접근할 수 있습니다. GitHub 설정에서 이 앱을 삭제하십시오.")
}

extension Texts {
    /// The message for text that can't be a token.
    var tokenNotUsable: Message {
        message(.signInFailed, .tokenNotUsable, titled: .signInFailedTitle, action: .changeInput)
    }

    /// The message for a browser that couldn't show the sign-in page.
    var browserFailed: Message {
        message(.signInFailed, .browserFailed, titled: .signInFailedTitle, action: .retry)
    }

    /// Returns the message for people who aren't signed in, with the action that helps.
    public func message(for reason: GitHub.SignOutReason) -> Message {
        switch reason {
        case .noSession, .requested: message(.unauthorized, .signedOut, titled: .signedOutTitle, action: .signIn)
        case .revoked: message(.unauthorized, .signedOutByGitHub, titled: .signedOutTitle, action: .signIn)
        case .tokenRefused:
            message(.unauthorized, .tokenRefused(Service.gitHub.name), titled: .tokenRefusedTitle, action: .retry)
        case .storage(let failure): storage(failure, titled: .signedOutTitle, ifDamaged: .signIn)
        }
    }

    /// Returns the message for a token that GitHub or the device couldn't delete.
    func signedOutInPart(_ error: BrowseError) -> Message {
        if case .storageFailed = error { return message(for: error) }
        return message(.signInFailed, .tokenNotRevoked, titled: .tokenNotRevokedTitle)
    }
}
