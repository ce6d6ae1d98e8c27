import BrowseDomain
import BrowseGitHubDomain
import BrowsePresentation

// swift-format-ignore
extension Phrase {
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
}
