import BrowseKit
import Foundation

/// A screen that searches for books as a person types.
@MainActor
public final class BookSearchViewModel: ListViewModel {
    /// What the screen shows.
    public struct State: Equatable, Sendable {
        /// The title of the screen.
        public var title: String = ""
        /// The text that the person typed.
        public var query: String = ""
        /// The rows, and what the list is doing.
        public var content: ListState<BookRow> = ListState()
        /// A message beside the list, such as that a favorite couldn't be stored.
        public var notice: Message?

        /// Creates the state of an empty field.
        public init() {}
    }

    /// The current state and those that follow.
    public var states: States<State> { store.states }
    /// What a front end can do with the list.
    public var list: ListControls<BookRow> { results.controls }

    /// How long a person must pause for a search to begin.
    static let pause: Duration = .milliseconds(300)

    private let store = StateStore(State())
    private let results: ListController<BookRow>
    private let repository: any BookRepository
    private let texts: Texts
    private let clock: any Clock<Duration>

    /// Creates the screen.
    public init(
        repository: any BookRepository,
        favorites: any FavoriteRepository,
        texts: Texts,
        policy: LoadPolicy = .fresh,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        let texts = texts.about(.openLibrary)
        self.repository = repository
        self.texts = texts
        self.clock = clock
        results = ListController(in: store, at: \.content, notice: \.notice, texts: texts, policy: policy)
        results.markFavorites(in: favorites)
        store.update { $0.title = texts(.booksTitle) }
    }

    /// What the person typed; setting it searches after a pause of 300 ms, or clears the results if it's blank.
    public var query: String {
        get { store.state.query }
        set {
            guard newValue != query else { return }
            let load = store.update { state in
                state.query = newValue
                return begin(newValue, after: Self.pause)
            }
            if let load { Task { await load() } }
        }
    }

    /// Searches at once, from the first page.
    public func submit() async {
        let load = store.update { state in begin(state.query, after: .zero) }
        await load?()
    }

    /// Starting over cancels the load before, in its pause or in flight, so that only the last text is searched for.
    private func begin(_ text: String, after pause: Duration) -> ListLoad? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else {
            results.clear()
            return nil
        }
        // One pause for the whole search, which may read a cached page before it asks the server.
        let waiting = Task { [clock] in
            if pause > .zero { try? await clock.sleep(for: pause) }
        }
        let empty = texts.noResults(for: text)
        return results.begin(.keepUntilPage, empty: empty) { [repository] cursor throws(BrowseError) in
            await waiting.value
            guard !Task.isCancelled else { throw .cancelled }
            return try await repository.books(matching: text, at: cursor)
        } row: { [texts] book in
            BookRow(book, texts: texts)
        }
    }
}
