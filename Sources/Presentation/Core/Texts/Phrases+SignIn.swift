import BrowseDomain

// swift-format-ignore
extension Phrase {
    package static let signInFailedTitle = Phrase("signIn.failed.title", "Couldn’t Sign In", ko: "로그인하지 못함")
    /// The text for a failed sign-in to a service.
    static func signInFailed(_ failure: BrowseError.SignInFailure, _ service: Phrase) -> Phrase {
        switch failure {
        case .notConfigured, .redirectMismatch:
            Phrase("signIn.notConfigured", "This app isn’t set up for this sign-in method.",
                ko: "이 앱에는 이 로그인 방법이 설정되어 있지 않습니다.")
        case .denied:
            Phrase("signIn.denied", "This app wasn’t given access to your account.", ko: "이 앱에 계정 접근 권한이 부여되지 않았습니다.")
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
            Phrase("signIn.unverifiedEmail", "\(service) requires a verified email address. Verify it, and then try again.",
                ko: "\(service)에서 이메일 주소를 인증한 후 다시 시도하십시오.")
        case .deviceFlowDisabled:
            Phrase("signIn.deviceFlowDisabled", "This app doesn’t support signing in with a code.",
                ko: "이 앱은 코드를 사용한 로그인을 지원하지 않습니다.")
        case .callback:
            Phrase("signIn.callback", "The response doesn’t belong to this sign-in. Try again.",
                ko: "이 로그인에 대한 응답이 아닙니다. 다시 시도하십시오.")
        case .other:
            Phrase("signIn.other", "\(service) couldn’t sign you in. Try again.",
                ko: "\(service)에 로그인하지 못했습니다. 다시 시도하십시오.")
        }
    }
}
