import BrowseKit
import Foundation

/// A screen that searches for books while typing.
@MainActor
public final class BookSearchViewModel: ListViewModel {
    /// The state of the screen.
    public struct State: Equatable, Sendable {
        /// The title of the screen.
        public var title: String = ""
        /// The search text.
        public var query: String = ""
        /// The rows and the status of the list.
        public var content: ListState<BookRow> = ListState()
        /// A message beside the list, such as that a favorite couldn't be stored.
        public var notice: Message?

        /// Creates the state of an empty field.
        public init() {}
    }

    /// The current state and its updates.
    public var states: States<State> { store.states }
    /// The actions for the list.
    public var list: ListControls<BookRow> { results.controls }

    /// The pause in typing before a search starts.
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

    /// The search text.
    ///
    /// Setting it searches after a pause of 300 ms, or clears the results if it's blank.
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

    /// Searches immediately, from the first page.
    public func submit() async {
        let load = store.update { state in begin(state.query, after: .zero) }
        await load?()
    }

    /// Restarting cancels the previous load, so only the last text is searched for.
    private func begin(_ text: String, after pause: Duration) -> ListLoad? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else {
            results.clear()
            return nil
        }
        // One pause for the whole search, which may read a cached page before the request.
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
