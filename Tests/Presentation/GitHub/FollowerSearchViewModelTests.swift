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
        model.query = "octo_cat"
        #expect(model.state.hint?.contains("“_”") == true)
        #expect(!model.state.canSubmit)
        model.query = "octocat"
        #expect(model.state.canSubmit)
        #expect(model.state.username?.login == .octocat)
        #expect(model.state.hint == nil)
        model.query = ""
        #expect(model.state.hint == nil, "an empty field is no mistake until it is sent")
    }

    @Test func `shows the code of an invisible character`() {
        model.query = "octocat\n"
        #expect(model.state.hint?.contains("U+000A") == true)
        model.query = "octo\u{202E}cat"
        #expect(model.state.hint?.contains("U+202E") == true)
    }

    @Test func `returns the route to the followers`() {
        model.query = "octocat"
        #expect(model.submit() == .gitHub(.followList(.followers(of: .octocat))))
    }

    @Test(arguments: ["", "-", "a b"])
    func `returns no route, but a hint, for an invalid username`(text: String) {
        model.query = text
        #expect(model.submit() == nil)
        #expect(model.state.hint != nil)
    }

    @Test func `localizes the hint`() {
        let model = FollowerSearchViewModel(texts: .korean)
        model.query = "a--b"
        #expect(model.state.hint == "사용자 이름에는 하이픈을 연달아 사용할 수 없습니다.")
    }
}
