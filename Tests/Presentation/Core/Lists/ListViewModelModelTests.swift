import BrowseAppStoreDomain
import BrowseAppStorePresentation
import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseMocks
import BrowsePresentation
import BrowseRickAndMortyDomain
import BrowseRickAndMortyPresentation
import TestLimits
import TestSupport
import Testing

/// Serves pages to any list, counts the requests, and records those that no list should send.
@MainActor
private final class PageServer {
    /// Whether a request for a text is expected now; always, for a screen without a pause in typing.
    var expects: @MainActor (String) -> Bool = { _ in true }
    private(set) var violations: [String] = []
    private(set) var requestCount = 0
    /// Requests since the last action of a person.
    private var seen: Set<String> = []
    private var barrenCount = 0
    private let isOpen = Monitor(true)

    static let texts = ["a", "ab", "abc", "barren"]

    /// The ids of rows name their text.
    static func text(of id: Int) -> String { texts[id / 1_000] }

    /// A person acted, or a load was canceled: pages may be requested again.
    func userActed() {
        (seen, barrenCount) = ([], 0)
    }

    func setOpen(_ isOpen: Bool) {
        self.isOpen.withLock { $0 = isOpen }
    }

    nonisolated func page(of text: String, at cursor: PageCursor?) async throws(BrowseError) -> (
        ids: [Int], next: String?
    ) {
        guard await record(text, cursor) else { throw .cancelled }
        await isOpen.wait { $0 }
        if Task.isCancelled { throw .cancelled }
        return await answer(text, cursor)
    }

    /// Runs on the main actor, where a request that became unwanted is canceled in the same step.
    private func record(_ text: String, _ cursor: PageCursor?) -> Bool {
        guard !Task.isCancelled else { return false }
        requestCount += 1
        let request = "\(text) \(cursor?.rawValue ?? "first")"
        if !expects(text) { violations.append("\(request) is of another text") }
        if !seen.insert(request).inserted { violations.append("\(request) was requested twice") }
        return true
    }

    private func answer(_ text: String, _ cursor: PageCursor?) -> (ids: [Int], next: String?) {
        let number = cursor.flatMap { Int($0.rawValue) } ?? 0
        let first = (Self.texts.firstIndex(of: text) ?? 0) * 1_000
        guard text == "barren", number > 0 else {
            let ids = (0..<4).map { first + number * 10 + $0 }
            return (ids, text == "barren" || number < 2 ? "\(number + 1)" : nil)
        }
        barrenCount += 1
        if barrenCount > 11 { violations.append("\(barrenCount) pages without new rows") }
        // Ends a list that doesn't stop by itself.
        return (number.isMultiple(of: 2) ? [] : [first], barrenCount > 30 ? nil : "\(number + 1)")
    }
}

/// The actions of one screen.
@MainActor
private struct Actions<Model: ListViewModel> {
    let content: KeyPath<Model.State, ListState<Model.Row>>
    let number: (Model.Row) -> Int
    let type: (Model, String) -> Void
    var submit: (Model) async -> Void = { _ in }
    var isWaiting: (Model.State) -> Bool = { _ in false }
    /// The text of the rows at rest; `nil` if it isn't checked.
    var text: (Model.State) -> String? = { _ in nil }
    var toggleScope: (Model) -> Void = { _ in }
}

/// Interleaves the actions of a person with loads and with the tasks of visible rows, at random.
@MainActor @Suite(.bounded)
struct `A list while a person types, scrolls, and cancels` {
    private let clock = TestClock()

    private var options: ScreenOptions {
        ScreenOptions.english(prefetchDistance: 2, policy: .fresh, clock: clock)
    }

    @concurrent
    private nonisolated func leaveMainActor() async {}

    private func run<Model: ListViewModel>(
        _ model: Model,
        _ actions: Actions<Model>,
        _ server: PageServer,
        seed: UInt64
    ) async {
        var random = SeededGenerator(seed: seed)
        var tasks: [Task<Void, Never>] = []
        func start(_ body: @escaping @MainActor () async -> Void) { tasks.append(Task { await body() }) }

        func advance(by duration: Duration) async {
            let sleep = Task { await clock.waitForSleepers(1) }
            // The pause may have passed already.
            let end = Task {
                await model.until { !actions.isWaiting($0) }
                sleep.cancel()
            }
            await sleep.value
            end.cancel()
            await clock.advance(by: duration)
        }

        func settle() async {
            server.setOpen(true)
            while actions.isWaiting(model.state) { await advance(by: .milliseconds(300)) }
            await model.until { state in
                switch state[keyPath: actions.content].status {
                case .loading, .loadingMore, .refreshing: false
                default: true
                }
            }
            guard let text = actions.text(model.state) else { return }
            for row in model.state[keyPath: actions.content].rows {
                #expect(PageServer.text(of: actions.number(row)) == text, "seed \(seed)")
            }
        }

        actions.type(model, "a")
        await actions.submit(model)
        for _ in 0..<60 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<5:
                server.userActed()
                actions.type(model, (PageServer.texts + [""]).randomElement(using: &random) ?? "")
            case 5...6 where actions.isWaiting(model.state):
                await advance(by: .milliseconds([100, 300].randomElement(using: &random) ?? 300))
            case 7..<12:
                for row in model.state[keyPath: actions.content].rows.suffix(3) {
                    start { await model.rowAppeared(row.id) }
                }
            case 12:
                start {
                    server.userActed()
                    await actions.submit(model)
                }
            case 13:
                start {
                    server.userActed()
                    await model.loadMore()
                }
            case 14:
                let isRetry = Bool.random(using: &random)
                start {
                    server.userActed()
                    await (isRetry ? model.retry : model.refresh)()
                }
            case 15:
                server.userActed()
                tasks.randomElement(using: &random)?.cancel()
            case 16:
                server.userActed()
                actions.toggleScope(model)
            case 17: await settle()
            default: server.setOpen(Bool.random(using: &random))
            }
            // Tasks take some steps meanwhile.
            for _ in 0..<Int.random(in: 0..<4, using: &random) { await leaveMainActor() }
        }
        await settle()
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        #expect(server.violations == [], "seed \(seed), \(server.requestCount) requests")
        #expect(server.requestCount > 0)
    }

    @Test(arguments: 0..<40)
    func `requests no page of another text from the user search`(seed: UInt64) async {
        let server = PageServer()
        let users = InMemoryUserRepository { call throws(BrowseError) in
            guard case .search(let text, let cursor) = call else { return nil }
            let (ids, next) = try await server.page(of: text.text, at: cursor)
            return .results(Page(users: ids, next: next))
        }
        let model = UserSearchViewModel(repository: users, favorites: InMemoryFavoriteRepository(), options: options)
        server.expects = { [unowned model] text in
            model.state.query.scope == .favorites || (!model.state.isWaiting && model.state.query.text == text)
        }
        let actions = Actions<UserSearchViewModel>(
            content: \.content,
            number: { Int($0.id.rawValue) },
            type: { $0.query.text = $1 },
            submit: { await $0.submit() },
            isWaiting: \.isWaiting,
            text: { $0.query.scope == .gitHub ? $0.query.text : nil },
            toggleScope: { model in
                model.query.scope = model.query.scope == .gitHub ? .favorites : .gitHub
                guard model.state.query.scope == .gitHub, !model.state.query.text.isEmpty else { return }
                #expect(model.state.content.status != .idle, "seed \(seed)")
            }
        )
        await run(model, actions, server, seed: seed)
    }

    @Test(arguments: 0..<20)
    func `requests each page of the followers once`(seed: UInt64) async {
        let server = PageServer()
        let followers = InMemoryFollowerRepository { call throws(BrowseError) in
            guard case .page(.followers(let login), let cursor) = call else { return nil }
            let (ids, next) = try await server.page(of: login.rawValue, at: cursor)
            return Page(users: ids, next: next)
        }
        let model = FollowerListViewModel(followers, options: options)
        let actions = Actions<FollowerListViewModel>(
            content: \.content,
            number: { Int($0.id.rawValue) },
            type: { model, text in
                Task {
                    server.userActed()
                    await model.show(.followers(of: GitHub.Login(text.isEmpty ? "a" : text)))
                }
            },
            text: { state in
                guard case .followers(let login) = state.selection else { return nil }
                return login.rawValue
            }
        )
        await run(model, actions, server, seed: seed)
    }

    @Test(arguments: 0..<20)
    func `reads each page of the favorites once`(seed: UInt64) async {
        let server = PageServer()
        let favorites = InMemoryFavoriteRepository { call throws(BrowseError) in
            guard case .page(let query, let cursor) = call else { return nil }
            let (ids, next) = try await server.page(of: query.filter, at: cursor)
            return Page(items: ids.map { Favorite.user(.sample($0)) }, next: next.map(PageCursor.init(rawValue:)))
        }
        let model = FavoriteListViewModel(favorites: favorites, kinds: .samples, options: options)
        let actions = Actions<FavoriteListViewModel>(
            content: \.content,
            number: { row in row.favorite.value(as: GitHub.User.self).map { Int($0.id.rawValue) } ?? 0 },
            type: { model, text in
                model.query.filter = text.isEmpty ? "a" : text
                Task {
                    server.userActed()
                    await model.showIfNeeded()
                }
            },
            submit: { await $0.show() },
            text: { $0.query.filter.isEmpty ? nil : $0.query.filter }
        )
        await run(model, actions, server, seed: seed)
    }

    @Test(arguments: 0..<20)
    func `requests apps only when the text is submitted`(seed: UInt64) async {
        let server = PageServer()
        let apps = InMemoryAppRepository { call throws(BrowseError) in
            guard case .search(let term, _, _) = call else { return nil }
            let (ids, _) = try await server.page(of: term.text, at: nil)
            return Page(items: ids.map { AppStore.App(id: AppStore.AppID(Int64($0)), name: "app") })
        }
        let model = AppSearchViewModel(repository: apps, options: options.with(InMemoryFavoriteRepository()))
        let actions = Actions<AppSearchViewModel>(
            content: \.content,
            number: { Int($0.id.number) },
            type: { $0.query.text = $1 },
            submit: { model in
                if model.query.text.isEmpty { model.query.text = "a" }
                await model.submit()
            },
            toggleScope: {
                $0.storefront = AppStore.Storefront(
                    country: $0.storefront.country == .southKorea ? .unitedStates : .southKorea
                )
            }
        )
        await run(model, actions, server, seed: seed)
    }
}
