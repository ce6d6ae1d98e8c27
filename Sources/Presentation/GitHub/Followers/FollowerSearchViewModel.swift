public import BrowseGitHubDomain
public import BrowsePresentation

/// A screen with a field for a username, which leads to the account's followers.
///
/// The username is checked as it's typed, without a request.
@MainActor
public final class FollowerSearchViewModel: ViewModel {
    /// The state of the screen.
    public struct State: Equatable, Sendable {
        /// The text that the person typed.
        public var query: String = ""
        /// The text as a username; `nil` if it isn't one.
        public var username: GitHub.Username?
        /// The localized reason why the text isn't a username, or a note about an unusual one.
        ///
        /// An empty field has none until it's submitted.
        public var hint: String?
        /// Whether ``FollowerSearchViewModel/submit()`` returns a route.
        public var canSubmit: Bool { username != nil }
    }

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }

    private let store = StateStore(State())
    private let texts: Texts
    private let webHost: String

    /// Creates the screen; the host is that of GitHub's website.
    package init(texts: Texts, webHost: String = "github.com") {
        self.texts = texts
        self.webHost = webHost
    }

    /// The text that the person typed; setting it checks it.
    public var query: String {
        get { state.query }
        set { check(newValue, explainsEmpty: false) }
    }

    /// Returns the list of followers; `nil`, with a hint, if the text isn't a username.
    public func submit() -> Route? {
        check(query, explainsEmpty: true)
        return state.username.map { .gitHub(.followList(.followers(of: $0.login))) }
    }

    private func check(_ text: String, explainsEmpty: Bool) {
        var state = State()
        state.query = text
        do throws(GitHub.Username.ValidationError) {
            let username = try GitHub.Username(text, host: webHost)
            state.username = username
            if username.isUnusual { state.hint = texts(.unusualUsername) }
        } catch {
            if error != .empty || explainsEmpty { state.hint = texts(.username(error)) }
        }
        store.update { $0 = state }
    }
}

// swift-format-ignore
extension Phrase {
    /// The hint for text that can't be a username.
    public static func username(_ error: GitHub.Username.ValidationError) -> Phrase {
        switch error {
        case .empty: Phrase("username.empty", "Enter a username.", ko: "사용자 이름을 입력하십시오.")
        case .addressWithoutAccount:
            Phrase("username.address", "This address doesn’t lead to an account. Enter a username, or paste the address of a profile.",
                ko: "계정으로 연결되지 않는 주소입니다. 사용자 이름을 입력하거나 프로필 주소를 붙여넣으십시오.")
        case .characterNotAllowed(let character):
            Phrase("username.character", "A username can’t contain \(.character(character)). Use letters, digits, hyphens, and underscores.",
                ko: "사용자 이름에는 \(.character(character)) 문자를 사용할 수 없습니다. 영문자, 숫자, 하이픈, 밑줄만 사용하십시오.")
        case .tooLong(let excess):
            Phrase("username.tooLong", plural: excess, one: "Remove \(excess) character. A username has at most \(39).",
                "Remove \(excess) characters. A username has at most \(39).",
                ko: "\(excess)자를 줄이십시오. 사용자 이름은 \(39)자까지입니다.")
        case .hyphenFirst:
            Phrase("username.hyphenFirst", "A username can’t start with a hyphen.",
                ko: "사용자 이름은 하이픈으로 시작할 수 없습니다.")
        }
    }

    /// The note about a name that GitHub no longer issues.
    static let unusualUsername = Phrase("username.unusual",
        "Only old accounts have a hyphen at the end, or two in a row. Check the spelling.",
        ko: "하이픈으로 끝나거나 하이픈이 연달아 있는 이름은 오래된 계정에만 있습니다. 철자를 확인하십시오.")
}
