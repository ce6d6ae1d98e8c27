import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseMocks
import BrowsePresentation
import BrowseRickAndMortyDomain
import BrowseRickAndMortyPresentation
import Foundation
import TestLimits
import TestSupport
import Testing

extension ListState {
    fileprivate var isLoading: Bool {
        switch status {
        case .loading, .loadingMore, .refreshing: true
        case .idle, .ready, .incomplete, .empty, .noMatches, .failed, .failedMore, .failedRefresh: false
        }
    }

    /// An empty list has no more pages.
    fileprivate var isConsistent: Bool {
        if case .empty = status { !hasMore && rows.isEmpty } else { true }
    }
}

extension DetailState {
    fileprivate var isLoading: Bool {
        switch status {
        case .loading: true
        case .idle, .loaded, .failed: false
        }
    }
}

/// Cancels the only caller of each screen at every await, and starts another intent in the same turn.
@MainActor @Suite(.bounded)
struct `A screen that says it's loading has a load in flight` {
    private nonisolated static var seeds: Range<UInt64> { 0..<UInt64(rounds(200)) }

    /// Returns a page of a list with gaps, of one whose last page repeats, or of a plain one.
    private nonisolated static func page(_ list: String, _ cursor: PageCursor?, _ number: Int) -> Page<GitHub.User> {
        let page = cursor.flatMap { Int($0.rawValue) } ?? 0
        if list == "endless", page > 2 {
            // Ends a load that doesn't stop by itself.
            return Page(users: 20..<30, next: number < 3_000 ? "\(page + 1)" : nil)
        }
        let users = list == "gaps" && page % 2 == 1 ? 0..<0 : page * 10..<page * 10 + 10
        return Page(users: users, next: page < 6 || list == "endless" ? "\(page + 1)" : nil)
    }

    private func ticking(_ clock: TestClock, by duration: Duration) -> Task<Void, Never> {
        Task {
            while !Task.isCancelled {
                await clock.waitForSleepers(1)
                await clock.advance(by: duration)
            }
        }
    }

    @Test(arguments: seeds)
    func `in a list`(seed: UInt64) async throws {
        let run = Interleaving(seed: seed)
        let followers = InMemoryFollowerRepository { [gate = run.gate] call throws(BrowseError) in
            let number = try await gate.pass()
            guard case .page(.followers(let login), let cursor) = call else { return nil }
            return Self.page(login.rawValue, cursor, number)
        }
        let model = FollowerListViewModel(followers, options: .english(prefetchDistance: 2))
        let recorder = StateRecorder(of: model)
        func list() -> GitHub.FollowList {
            .followers(of: GitHub.Login(["plain", "gaps", "endless"].randomElement(using: &run.random) ?? ""))
        }
        try await run.run(
            120,
            [
                { await model.show(list()) }, { await model.showIfNeeded(list()) },
                { await model.showIfNeeded(model.state.selection ?? list()) }, { await model.loadMore() },
                { await model.retry() }, { await model.refresh() }, { await model.loadAll() },
                { await model.rowAppeared(at: model.state.content.rows.count - 1) },
                { await model.rowAppeared(at: model.state.content.rows.count - 2) },
            ]
        ) {
            try await run.expectEnd(seed) { model.state.content.isLoading }
            let requests = run.gate.requestCount
            while model.state.content.canLoadMore { await model.loadMore() }
            #expect(run.gate.requestCount <= requests + 20, "seed \(seed)")
            let ids = model.state.content.rows.map { Int($0.id.rawValue) }
            #expect(ids == Array(Set(ids)).sorted(), "seed \(seed)")
        }
        for state in recorder.states { #expect(state.content.isConsistent, "seed \(seed)") }
        #expect(run.gate.requestCount < 2_000, "seed \(seed)")
    }

    @Test(arguments: seeds)
    func `in a search`(seed: UInt64) async throws {
        let run = Interleaving(seed: seed)
        let clock = TestClock()
        let users = InMemoryUserRepository { [gate = run.gate] call throws(BrowseError) in
            guard case .search(let text, let cursor) = call else { return nil }
            let page = Self.page(text.text, cursor, try await gate.pass())
            return .results(page)
        }
        let favorites = InMemoryFavoriteRepository((0..<30).map { Favorite.user(.sample($0)) }, pageSize: 4) {
            [gate = run.gate] call throws(BrowseError) in
            if case .page = call { try await gate.pass() }
            return nil
        }
        let model = UserSearchViewModel(
            repository: users,
            favorites: favorites,
            options: .english(prefetchDistance: 2, clock: clock)
        )
        let recorder = StateRecorder(of: model)
        // Rows that have appeared wait for the end of the pause.
        let ticking = ticking(clock, by: .milliseconds(100))
        defer { ticking.cancel() }
        try await run.run(
            120,
            [
                { model.query.text = ["plain", "gaps", "user", ""].randomElement(using: &run.random) ?? "" },
                { model.query.scope = model.query.scope == .gitHub ? .favorites : .gitHub },
                { await model.submit() }, { await model.loadMore() }, { await model.retry() },
                { await model.refresh() },
                { await model.rowAppeared(at: model.state.content.rows.count - 1) },
                { await model.toggleFavorite(at: 0) },
            ],
            events: [
                {
                    let number = Int.random(in: 0..<30, using: &run.random)
                    _ = try? await favorites.remove(Favorite.user(.sample(number)).id)
                }
            ]
        ) {
            try await run.expectEnd(seed) { model.state.content.isLoading || model.state.isWaiting }
        }
        for state in recorder.states { #expect(state.content.isConsistent, "seed \(seed)") }
    }

    @Test(arguments: seeds)
    func `in details with related items`(seed: UInt64) async throws {
        let run = Interleaving(seed: seed)
        let characters = InMemoryCharacterRepository { [gate = run.gate] call throws(BrowseError) in
            guard case .entity(let id) = call else { return nil }
            let version = try await gate.pass()
            let episodes = [1, 2].map(RickAndMorty.Episode.ID.init(rawValue:))
            return Page(items: [RickAndMorty.Character(id: id, name: "\(version / 10)") { $0.episodes = episodes }])
        }
        let episodes = InMemoryEpisodeRepository { [gate = run.gate] call throws(BrowseError) in
            guard case .entities(let ids) = call else { return nil }
            try await gate.pass()
            return Page(items: ids.map { RickAndMorty.Episode(id: $0, name: "a") })
        }
        let model = CharacterDetailViewModel(characters, episodes)
        func id() -> RickAndMorty.Character.ID { .init(rawValue: Int64.random(in: 1...2, using: &run.random)) }
        try await run.run(
            120,
            [
                { await model.show(id()) }, { await model.showIfNeeded(id()) },
                { await model.showIfNeeded(model.state.id ?? id()) }, { await model.retry() },
                { await model.refresh() }, { await model.related.loadMore() }, { await model.related.retry() },
                { await model.related.refresh() }, { await model.related.rowAppeared(at: 1) },
                { await model.toggleFavorite() },
            ]
        ) {
            try await run.expectEnd(seed) { model.state.content.isLoading || model.state.related.isLoading }
            // The way on is never blocked.
            for _ in 0..<4 { await model.retry() }
            if model.state.id != nil {
                #expect(model.state.content.details != nil && model.state.related.rows.count == 2, "seed \(seed)")
            }
        }
    }

    /// In the end, the list equals the storage.
    @Test(arguments: seeds)
    func `in the favorites`(seed: UInt64) async throws {
        let run = Interleaving(seed: seed)
        let size = Int.random(in: 2...8, using: &run.random)
        let store = InMemoryFavoriteRepository((0..<20).map { Favorite.user(.sample($0)) }, pageSize: size)
        let arrive = Monitor(true)
        var hooked = store.deliveringChanges(while: arrive)
        hooked.onCall = { [gate = run.gate] call throws(BrowseError) in
            guard case .page(let query, let cursor) = call else { return nil }
            // A page is read before or after it waits.
            let waitsFirst = gate.requestCount.isMultiple(of: 2)
            if waitsFirst { try await gate.pass() }
            let page = try await store.page(of: query, at: cursor)
            if !waitsFirst { try await gate.pass() }
            return page
        }
        let favorites = hooked
        let options = ScreenOptions.english(prefetchDistance: 1)
        let model = FavoriteListViewModel(favorites: favorites, kinds: .samples, options: options)
        let recorder = StateRecorder(of: model)
        // From here on, the screen receives every change.
        await model.show()
        func favorite() -> Favorite {
            let number = Int.random(in: 0..<30, using: &run.random)
            return .user(.sample(number, login: Bool.random(using: &run.random) ? "a-\(number)" : nil))
        }
        try await run.run(
            200,
            [
                { await model.show() }, { await model.showIfNeeded() }, { await model.loadMore() },
                { await model.retry() }, { await model.refresh() }, { await model.loadAll() },
                { await model.rowAppeared(at: model.state.content.rows.count - 1) },
                { model.query.order = [.added, .added, .name].randomElement(using: &run.random) ?? .added },
                { model.query.filter = ["", "1"].randomElement(using: &run.random) ?? "" },
                { await model.remove(at: 0) },
            ],
            events: [
                { _ = try? await favorites.add(favorite()) },
                { for _ in 0..<6 { _ = try? await favorites.remove(favorite().id) } },
                { for row in model.state.content.rows { _ = try? await favorites.remove(row.id) } },
                { for number in 0..<30 { _ = try? await favorites.add(.user(.sample(number))) } },
                { arrive.withLock { $0.toggle() } }, { arrive.withLock { $0.toggle() } },
                {
                    let again = model.state.content.rows.randomElement(using: &run.random)?.favorite ?? favorite()
                    _ = try? await favorites.remove(again.id)
                    for favorite in [again, favorite()] { _ = try? await favorites.add(favorite) }
                },
            ]
        ) {
            // Sometimes the changes arrive after all pages.
            let arriveLast = Bool.random(using: &run.random)
            arrive.withLock { $0 = !arriveLast }
            try await run.expectEnd(seed) { model.state.content.isLoading }
            guard model.state.content.status != .idle else { return }
            var stored: [Favorite.ID] = []
            var cursor: PageCursor?
            repeat {
                let page = try await store.page(of: model.query, at: cursor)
                stored += page.items.map(\.id)
                cursor = page.next
            } while cursor != nil
            let all = stored
            @MainActor func expect(_ isRight: @MainActor @Sendable ([Favorite.ID]) -> Bool) async throws {
                do {
                    try await waitUntil { isRight(model.state.content.rows.map(\.id)) }
                } catch {
                    let shown = model.state.content.rows.map(\.id.key)
                    Issue.record("seed \(seed): \(shown) instead of \(all.map(\.key)), \(model.state.content.status)")
                    throw error
                }
            }
            // A list whose rows are all removed loads its next page. After a failure of that load, the person decides.
            if !run.gate.fails {
                try await run.expectEnd(seed) { model.state.content.rows.isEmpty && model.state.content.canLoadMore }
            } else if case .noMatches(let message) = model.state.content.status, model.state.content.canLoadMore {
                #expect(message.action != nil, "seed \(seed)")
            }
            // Changes during a load were applied when it ended. After a failed reload, additions wait for the next one.
            if case .failedRefresh = model.state.content.status {
                try await expect { arriveLast || Set(all).isSuperset(of: $0) }
            } else {
                try await expect { arriveLast || all.starts(with: $0) }
            }
            // A list that is always complete would have few changes during the loads of its pages.
            guard Int.random(in: 0..<3, using: &run.random) == 0 else { return }
            for _ in 0..<40 {
                await model.retry()
                await model.loadMore()
            }
            arrive.withLock { $0 = true }
            try await expect { $0 == all }
        }
        for state in recorder.states { #expect(state.content.isConsistent, "seed \(seed)") }
    }

    @Test(arguments: seeds)
    func `in an image`(seed: UInt64) async throws {
        let run = Interleaving(seed: seed)
        let images = InMemoryImageRepository { [gate = run.gate] request throws(BrowseError) in
            try await gate.pass()
            return .drawn(for: request.address.rawValue)
        }
        let model = RemoteImageViewModel(images: images, texts: .english)
        func request() -> ImageRequest? {
            [ImageRequest(WebAddress(rawValue: "a")), ImageRequest(WebAddress(rawValue: "b")), nil]
                .randomElement(using: &run.random) ?? nil
        }
        // Whether the last image was set, so that no caller can cancel its load.
        var isSet = false
        func show(_ show: (ImageRequest?) async -> Void, _ request: ImageRequest?) async {
            if request != model.request || model.state != .loading { isSet = false }
            await show(request)
        }
        try await run.run(
            120,
            [
                { await show(model.show, request()) }, { await show(model.show, model.request) },
                { await show(model.showIfNeeded, request()) }, { await model.decodingFailed() },
                {
                    isSet = false
                    await model.retry()
                },
                {
                    model.request = request()
                    isSet = true
                },
                {
                    model.request = model.request
                    isSet = true
                },
            ]
        ) {
            try await run.expectEnd(seed) { model.state == .loading }
            if isSet, model.request != nil { #expect(model.state != .idle, "seed \(seed)") }
        }
    }

    @Test(arguments: seeds)
    func `in the sign-in and the account`(seed: UInt64) async throws {
        let run = Interleaving(seed: seed)
        let gate = run.gate
        let clock = TestClock()
        let credentials = Credentials(token: try Secret("token"), user: GitHub.User.sample(1))
        let code = DeviceCode(
            userCode: "A",
            page: WebAddress(rawValue: "https://github.com/login/device"),
            lifetime: .seconds(900),
            interval: .seconds(5),
            deviceCode: try Secret("device")
        )
        let authorization = InMemoryAuthorizationRepository { call throws(BrowseError) in
            try await gate.pass()
            return switch call {
            case .deviceCode: .code(code)
            case .poll: .poll(.granted(credentials))
            default: .credentials(credentials)
            }
        }
        let users = InMemoryUserRepository { _ throws(BrowseError) in
            try await gate.pass()
            return .profile(GitHub.UserProfile(user: .sample(1)))
        }
        let session = GitHub.SessionManager.inMemory(users: users)
        let signIn = SignInViewModel(
            session: session,
            oauth: OAuthSignIn(authorization: authorization, clock: clock),
            texts: .english
        )
        let account = AccountViewModel(session: session, users: users, options: .english)
        let ticking = ticking(clock, by: .seconds(5))
        defer { ticking.cancel() }
        try await run.run(
            120,
            [
                { await signIn.signInByCode() }, { _ = signIn.signInByBrowser() },
                { await signIn.signIn(withToken: "token") }, { signIn.cancel() }, { signIn.browserFailed() },
                { if let pending = signIn.pending { await signIn.resume(pending) } },
                { await account.show() }, { await account.retry() },
                { await account.refresh() },
                {
                    account.askToSignOut()
                    await account.signOut()
                },
                { try? await session.signIn(with: credentials) },
            ]
        ) {
            try await run.expectEnd(seed) { signIn.state == .askingForCode || signIn.state == .signingIn }
            try await run.expectEnd(seed) { account.state.content.isLoading }
        }
    }
}
