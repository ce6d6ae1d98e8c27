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
