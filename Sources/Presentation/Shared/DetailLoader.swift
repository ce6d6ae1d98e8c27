import BrowseDomain
import Foundation

/// What a screen shows of one thing: what is told about it, or what it is doing.
public enum DetailStatus<Details: Equatable & Sendable>: Equatable, Sendable {
    /// Nothing was asked for yet.
    case idle
    /// The thing is on its way.
    case loading
    /// The load waits for a rate limit; the message says until when.
    case waiting(Message)
    /// The thing is there.
    case loaded(Details)
    /// The thing did not come.
    case failed(Message)
}

/// Loads one thing for a screen, and then what is related to it.
///
/// What is related is a list of its own, with its own failure: the thing shows while they are on their way, and stays when
/// they do not come.
@MainActor
final class DetailLoader<Thing: Equatable & Sendable, Related: Sendable, Row: Identifiable & Equatable & Sendable>
where Row.ID: Sendable {
    typealias Fetch = @Sendable () async throws(BrowseError) -> Thing
    typealias FetchRelated = @Sendable (Thing) async throws(BrowseError) -> Page<Related>

    /// What the load is doing.
    enum Phase {
        case idle
        case loading
        case loaded(Thing)
        case failed(BrowseError)
    }

    /// What the load is doing.
    private(set) var phase = Phase.idle
    /// What is related to the thing.
    let related: PageLoader<Page<Related>, Row>
    /// Called when something began, came or failed.
    var didChange: @MainActor () -> Void = {} {
        didSet { related.didChange = didChange }
    }

    /// What is done while each thing is on its way, and waited for with it.
    var willBegin: @MainActor () async -> Void = {}

    /// Where the thing came from; `nil` while it is not there.
    private(set) var provenance: Provenance?
    /// Why what the server has did not come in the place of what is shown, which was kept.
    private(set) var failure: BrowseError?

    private let policy: LoadPolicy
    private let loads = TaskSlot()
    private let fetchRelated: FetchRelated
    private var fetch: Fetch?
    private var loadCount = 0

    /// - Parameters:
    ///   - prefetchDistance: See ``PagedList/prefetchDistance``.
    ///   - policy: Which of what was read before may be shown.
    ///   - fetchRelated: Brings what is related to a thing.
    ///   - row: Makes a row of it.
    init(
        prefetchDistance: Int = 10,
        policy: LoadPolicy,
        fetchRelated: @escaping FetchRelated,
        row: @escaping @MainActor (Related) -> Row
    ) {
        self.policy = policy
        self.fetchRelated = fetchRelated
        related = PageLoader(prefetchDistance: prefetchDistance, policy: policy)
        related.accept = { page, _ in page.map(row) }
        loads.waitDidChange = { [weak self] in self?.didChange() }
    }

    /// The thing, when it is there.
    var thing: Thing? {
        if case .loaded(let thing) = phase { thing } else { nil }
    }

    /// Starts over with a thing; what was on its way for another is cancelled, and dropped if it comes.
    func show(_ fetch: @escaping Fetch) async {
        async let done: Void = willBegin()
        await load(fetch)
        await done
    }

    private func load(_ fetch: @escaping Fetch) async {
        self.fetch = fetch
        loadCount += 1
        let number = loadCount
        related.clear()
        (phase, provenance, failure) = (.loading, nil, nil)
        didChange()
        var early: Task<Void, Never>?
        let result = await loads.load(policy, fetch) { [weak self] kept in
            guard let self, number == loadCount else { return }
            // What is related is kept too, and needs no answer of the server's to be looked for.
            let load = receive(kept)
            early = Task { await load() }
        }
        guard number == loadCount else { return }
        switch result {
        case .success(let loaded) where loaded.value == thing:
            provenance = loaded.provenance
            didChange()
        case .success(let loaded):
            await receive(loaded)()
        case .failure(.cancelled):
            if thing == nil { phase = .idle }
            didChange()
        case .failure(let error):
            // What is gone is not shown any more.
            if thing == nil || error.isNotFound { phase = .failed(error) } else { failure = error }
            didChange()
        }
        await early?.value
    }

    /// Shows a thing, and begins to load what is related to it.
    private func receive(_ loaded: Loaded<Thing>) -> PageLoad {
        // Of a newer version of the same thing, what is related mostly stays the same.
        let oldRows: PagedList<Row>.OldRows = thing == nil ? .go : .stayUntilPage
        (phase, provenance, failure) = (.loaded(loaded.value), loaded.provenance, nil)
        let load = related.restart(oldRows) { [fetchRelated] _ throws(BrowseError) in
            try await fetchRelated(loaded.value)
        }
        didChange()
        return load
    }

    /// Loads what failed or was cancelled: the thing, or what is related to it.
    func retry() async {
        switch phase {
        case .loading: return
        case .loaded where failure == nil:
            if case .failed = related.list.phase {
                await related.retry()
            } else {
                await related.loadMore()
            }
        case .idle, .failed, .loaded:
            guard let fetch else { return }
            await show(fetch)
        }
    }

    /// What the screen shows.
    func status<Details>(texts: Texts, details: (Thing) -> Details) -> DetailStatus<Details> {
        switch phase {
        case .idle: .idle
        case .loading: loads.waitEnd.map { .waiting(texts.waiting(until: $0)) } ?? .loading
        case .loaded(let thing): .loaded(details(thing))
        case .failed(let error): .failed(texts.message(for: error))
        }
    }

    /// What to tell beside a thing that is shown: until when its newer version waits, or why it did not come.
    func notice(texts: Texts) -> Message? {
        guard thing != nil else { return nil }
        return loads.waitEnd.map(texts.waiting(until:)) ?? failure.map(texts.message(for:))
    }

    /// What the screen shows of what is related; nothing while the thing is not there.
    func relatedState(texts: Texts, empty: @autoclosure () -> Message) -> ListState<Row> {
        thing == nil ? ListState() : ListState(related.list, texts: texts, empty: empty())
    }
}

extension DetailLoader where Row: FavoriteRow {
    /// Shows in what is related to the thing what is a favourite, and follows it from the first load on.
    func mark(by marks: FavoriteMarks) {
        willBegin = { await marks.follow() }
        marks.didChange = { [weak self, weak marks] ids in
            guard let self, let marks else { return }
            related.list.mark(ids, by: marks)
            didChange()
        }
    }
}
