public import BrowseDomain

/// The screen where a person types the username whose followers they want to see.
///
/// The name is checked as it is typed, without any request.
@MainActor
public final class FollowerSearchViewModel: ViewModel {
    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// What was typed.
        public var query: String = ""
        /// The text as a username; `nil` when it is none.
        public var username: GitHub.Username?
        /// Why the text is no username; `nil` when it is one.
        public var refusal: GitHub.Username.ValidationError? = .empty
        /// The refusal in words; `nil` while there is nothing to complain about, as in an empty field.
        public var hint: String?
        /// Whether ``FollowerSearchViewModel/submit()`` leads on.
        public var canSubmit: Bool { username != nil }

        /// Creates the state of an empty field.
        public init() {}
    }

    /// The current state and those that follow.
    public var states: States<State> { store.states }

    private let store = StateStore(State())
    private let texts: Texts

    /// Creates the screen.
    public init(texts: Texts) {
        self.texts = texts
    }

    /// What the person typed; setting it checks it.
    public var query: String {
        get { state.query }
        set { check(newValue, complainsAboutNothing: false) }
    }

    /// Goes on to the followers of the typed name; `nil`, with a hint, when it is no username.
    public func submit() -> Route? {
        check(query, complainsAboutNothing: true)
        return state.username.map { .followList(.followers(of: $0.login)) }
    }

    private func check(_ text: String, complainsAboutNothing: Bool) {
        var state = State()
        state.query = text
        do throws(GitHub.Username.ValidationError) {
            state.username = try GitHub.Username(text)
            state.refusal = nil
        } catch {
            state.refusal = error
            if error != .empty || complainsAboutNothing { state.hint = texts.hint(for: error) }
        }
        store.state = state
    }
}
