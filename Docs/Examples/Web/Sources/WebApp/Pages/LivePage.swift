import BrowseKit
import Synchronization

/// A page that a visitor has open: a view model, and its contents as they change.
///
/// States are described off the main actor. Releasing the page releases the view model, which cancels its loads.
final class LivePage: Sendable {
    let texts: Texts
    /// Returns a stream of contents, the current one first; a slow reader gets the newest only.
    let contents: @Sendable () -> any AsyncSequence<PageContent, Never> & Sendable
    private let describe: @MainActor @Sendable () -> @Sendable () -> PageContent
    private let performOnModel: @MainActor @Sendable (PageAction) async -> PageOutcome
    private let loadedCount: @MainActor @Sendable () -> Int
    private let shown: Shared<PageAddress>
    /// The load in progress. A task keeps its memory until it's released, so an ended one isn't kept.
    private let loading: Mutex<Task<Void, Never>?>

    @MainActor
    init<S: Screen>(_ screen: S, in context: PageContext) {
        let model = screen.makeModel(in: context)
        let states = model.states
        texts = context.texts
        shown = context.shown
        contents = { states.map { screen.content(of: $0, in: context) } }
        describe = {
            let state = model.state
            return { screen.content(of: state, in: context) }
        }
        performOnModel = { action in
            // It stays until the next thing that a person does.
            if ![.appeared, .input, .more].contains(action.name) { context.arrival.value = nil }
            return await screen.perform(action, on: model, in: context)
        }
        loadedCount = { screen.loadedCount(model) }
        loading = Mutex(Task { await screen.load(model, in: context) })
    }

    deinit {
        loading.withLock { $0?.cancel() }
    }

    /// The address of what the page shows, which actions change.
    var address: PageAddress { shown.value }

    var content: PageContent {
        get async { await describe()() }
    }

    /// Returns whether the page is that of an address, with as many rows.
    func shows(_ address: PageAddress) -> Bool {
        let own = self.address
        return own.with("rows", nil) == address.with("rows", nil) && own.rowCount >= address.rowCount
    }

    func waitUntilLoaded(atMost limit: Duration, clock: any Clock<Duration>) async {
        let task = loading.withLock(\.self)
        if await task?.value(orAfter: limit, clock: clock) != nil { loading.withLock { $0 = nil } }
    }

    /// Performs an action, which goes on after the time limit.
    ///
    /// - Returns: The result; `.stay` if it isn't known in time. The page then shows it when it is.
    func perform(_ action: PageAction, atMost limit: Duration, clock: any Clock<Duration>) async -> PageOutcome {
        if action.name == .input, let address = PageAddress(action.fields["address"] ?? "") {
            // A filter hides rows, and a search replaces them.
            let count = await action.fields["filter"] == nil ? 0 : loadedCount()
            shown.value = count > 0 ? address.with("rows", "\(count)") : address
        }
        let outcome = await Task { [performOnModel] in await performOnModel(action) }
            .value(orAfter: limit, clock: clock)
        if [.more, .appeared, .loadAll].contains(action.name) {
            let count = await loadedCount()
            shown.change { $0 = $0.with("rows", "\(count)") }
        }
        return outcome ?? .stay
    }
}

extension Task where Failure == Never {
    /// Returns the task's value; `nil` if it takes longer than a limit. The task isn't canceled.
    @discardableResult
    func value(orAfter limit: Duration, clock: any Clock<Duration>) async -> Success? {
        let (results, result) = AsyncStream<Success?>.makeStream()
        let waiter = Task<Void, Never> {
            result.yield(await value)
            result.finish()
        }
        let timer = Task<Void, Never> {
            try? await clock.sleep(for: limit)
            result.finish()
        }
        defer {
            waiter.cancel()
            timer.cancel()
        }
        return await results.first { _ in true } ?? nil
    }
}
