import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseMocks
import BrowsePresentation
import TestLimits
import Testing

@MainActor @Suite(.bounded)
struct `The follower search` {
    private let model = FollowerSearchViewModel(texts: .english)

    @Test func `checks the username as it's typed, with a hint`() {
        #expect(model.state.hint == nil)
        model.query = "octo.cat"
        #expect(model.state.hint?.contains("“.”") == true)
        #expect(!model.state.canSubmit)
        model.query = "octocat"
        #expect(model.state.canSubmit)
        #expect(model.state.username?.login == .octocat)
        #expect(model.state.hint == nil)
        model.query = ""
        #expect(model.state.hint == nil, "an empty field is no mistake until it is sent")
    }

    @Test(arguments: [
        "octocat", " octocat\n", "@octocat", "https://github.com/octocat?tab=repositories", "\u{FEFF}octo\u{200B}cat",
        "https://github.com/octocat를", "https://github.com/octocat。", "프로필:https://github.com/octocat",
        "（https://github.com/octocat）", "见https://github.com/octocat，谢谢", "http://www.github.com/octocat?tab=followers",
        "HTTPS://GitHub.com/octocat/", "octo\u{202E}cat\u{200D}", "github.com/octocat#x",
        "ｏｃｔｏｃａｔ", "＠octocａt",
    ])
    func `understands what a person pastes, and shows it as it was pasted`(text: String) {
        model.query = text
        #expect(model.state.query == text)
        #expect(model.state.hint == nil)
        #expect(model.submit() == .gitHub(.followList(.followers(of: .octocat))))
    }

    @Test(arguments: [(Texts.english, "Only old accounts"), (.korean, "오래된 계정에만")])
    func `doesn't block accounts with unusual names`(texts: Texts, note: String) {
        let model = FollowerSearchViewModel(texts: texts)
        model.query = "mona_acme"
        #expect(model.state.hint == nil && model.state.canSubmit)
        for name in ["mona-", "octo--cat", "-ACE-"] {
            model.query = name
            #expect(model.state.hint?.contains(note) == true)
            #expect(model.submit() == .gitHub(.followList(.followers(of: GitHub.Login(name)))))
        }
    }

    @Test(arguments: ["", "-", "a b"])
    func `returns no route, but a hint, for an invalid username`(text: String) {
        model.query = text
        #expect(model.submit() == nil)
        #expect(model.state.hint != nil)
    }

    @Test func `localizes the hint`() {
        let model = FollowerSearchViewModel(texts: .korean)
        model.query = "-a"
        #expect(model.state.hint == "사용자 이름은 하이픈으로 시작할 수 없습니다.")
    }
}
