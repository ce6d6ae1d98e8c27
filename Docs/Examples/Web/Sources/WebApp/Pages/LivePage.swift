import BrowseKit

/// A page that a visitor has open: a view model, and its contents as they change.
///
/// A stream of contents ends when the page is closed, and describes states off the main actor.
final class LivePage: Sendable {
    /// A stream of contents, the current one first.
    typealias Contents = any AsyncSequence<PageContent, Never> & Sendable

    /// The address.
    let address: PageAddress
    /// Returns a stream of contents, the current one first; a slow reader gets the newest only.
    let contents: @Sendable () -> Contents
    private let performOnModel: @MainActor @Sendable (PageAction) async -> PageOutcome
    private let describe: @MainActor @Sendable () -> @Sendable () -> PageContent
    private let loading: Task<Void, Never>

    /// Opens a screen, and starts to load it.
    @MainActor
    init<S: Screen>(_ screen: S, in container: Container, context: PageContext) {
        let model = screen.makeModel(in: container)
        let states = model.states
        address = screen.address
        contents = { states(.newest).map { screen.content(of: $0, in: context) } }
        describe = {
            let state = model.state
            return { screen.content(of: state, in: context) }
        }
        performOnModel = { await screen.perform($0, on: model, in: context) }
        loading = Task { await screen.load(model) }
    }

    deinit {
        loading.cancel()
    }

    /// The current content.
    var content: PageContent {
        get async { await describe()() }
    }

    /// Waits until the page has loaded, at most until a time limit.
    func waitUntilLoaded(atMost limit: Duration, clock: any Clock<Duration>) async {
        await withTaskGroup { group in
            group.addTask { [loading] in await loading.value }
            group.addTask { try? await clock.sleep(for: limit) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Performs an action; returns when its result is known.
    func perform(_ action: PageAction) async -> PageOutcome { await performOnModel(action) }
}
