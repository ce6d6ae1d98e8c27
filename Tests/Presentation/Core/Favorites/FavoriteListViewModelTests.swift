import BrowseAppStoreDomain
import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import BrowseRickAndMortyDomain
import Foundation
import Synchronization
import TestLimits
import TestSupport
import Testing

@testable import BrowseAppStorePresentation
@testable import BrowseGitHubPresentation
@testable import BrowsePresentation

@MainActor @Suite(.bounded)
struct `The list of favorites` {
    private static let names = ["zoe", "Ash", "bob", "9lives", "ash-2", "_x"]
    private let favorites = InMemoryFavoriteRepository(
        Self.names.enumerated().map { .user(.sample($0, login: $1)) },
        pageSize: 4
    )

    private func model(_ favorites: (any FavoriteRepository)? = nil) -> FavoriteListViewModel {
        let options = ScreenOptions.english(prefetchDistance: 0)
        return FavoriteListViewModel(favorites: favorites ?? self.favorites, kinds: .samples, options: options)
    }

    private func names(_ state: FavoriteListViewModel.State) -> [String] { state.content.rows.map(\.favorite.title) }

    @Test func `groups by letter, with groups for digits and symbols, page by page`() async {
        let model = model()
        await model.show()
        #expect(model.state.title == "Favorites")
        #expect(names(model.state) == ["Ash", "ash-2", "bob", "zoe"])
        #expect(model.state.sections.map(\.title) == ["A", "B", "Z"])
        await model.rowAppeared(at: 3)
        #expect(names(model.state) == ["Ash", "ash-2", "bob", "zoe", "9lives", "_x"])
        #expect(model.state.sections.map(\.title) == ["A", "B", "Z", "0–9", "#"])
        #expect(model.state.sections.map(\.positions) == [0..<2, 2..<3, 3..<4, 4..<5, 5..<6])
        #expect(!model.state.content.hasMore)
    }

    @Test func `filters by a part of the name regardless of case, for the last text`() async {
        let model = model()
        await model.show()
        for text in ["a", "as", "ASH"] { model.query.filter = text }
        #expect(model.state.content.status == .refreshing)
        let state = await model.until { $0.content.status == .ready }
        #expect(names(state) == ["Ash", "ash-2"])
        model.query.filter = "nobody"
        await model.until { $0.content.status.emptyMessage?.kind == .noMatches }
        model.query.filter = ""
        await model.until { $0.content.rows.count == 4 }
    }

    @Test func `is empty without favorites, and needs no network`() async {
        let model = model(InMemoryFavoriteRepository())
        await model.show()
        #expect(model.state.content.status.emptyMessage?.text == "Items you add to your favorites appear here.")
        await model.rowAppeared(at: 0)
        await model.loadMore()
        #expect(model.state.content.rows.isEmpty)
    }

    /// The sections and rows of a view, to which changes are applied in the order of the documentation.
    private struct View: Equatable {
        var sections: [[String]] = []

        init(_ state: FavoriteListViewModel.State) {
            sections = state.sections.map { state.content.rows[$0.positions].map(\.favorite.title) }
        }

        mutating func apply(_ update: FavoriteSectionChange.Update, _ new: View) {
            for place in update.removed.reversed() { sections[place.section].remove(at: place.row) }
            for section in update.removedSections.reversed() { sections.remove(at: section) }
            for section in update.insertedSections { sections.insert(new.sections[section], at: section) }
            for place in update.inserted {
                sections[place.section].insert(new.sections[place.section][place.row], at: place.row)
            }
            for place in update.updated { sections[place.section][place.row] = new.sections[place.section][place.row] }
        }
    }

    /// Random changes; a new name can move a favorite to another section without moving the row.
    @Test(arguments: 0..<20)
    func `reports changes of sections that a view can apply`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let favorites = InMemoryFavoriteRepository([], pageSize: 100)
        let model = model(favorites)
        await model.show()
        var (shown, view, resetCount) = (model.state, View(model.state), 0)
        for step in 0..<60 {
            let number = Int.random(in: 0..<6, using: &random)
            let login = "\("abcz9".randomElement(using: &random) ?? "a")\(Int.random(in: 0..<3, using: &random))"
            let favorite = Favorite.user(.sample(number, login: login))
            switch step % 3 {
            case 0: _ = try await favorites.add(favorite)
            case 1: try await favorites.update([favorite])
            default: _ = try await favorites.remove(favorite.id)
            }
            let expected = try await favorites.page(of: FavoriteQuery(order: .name), at: nil).items.map(\.title)
            try await waitUntil { names(model.state) == expected }
            guard Bool.random(using: &random) else { continue }
            let state = model.state
            switch state.sections.change(
                since: shown.sections,
                with: state.content.rows.change(since: shown.content.rows)
            ) {
            case .none: break
            case .reset: (view, resetCount) = (View(state), resetCount + 1)
            case .update(let update): view.apply(update, View(state))
            }
            shown = state
            try #require(view == View(state), "step \(step)")
        }
        #expect(resetCount < 15)
    }

    @Test func `keeps a row that can't be removed, with a notice`() async {
        var full = favorites
        full.onCall = { call throws(BrowseError) in
            guard case .remove = call else { return nil }
            throw .storageFailed(StorageFailure(reason: .full, file: "favorites.sqlite"))
        }
        let model = model(full)
        await model.show()
        await model.remove(at: 0)
        #expect(model.state.content.rows[0].isFavorite)
        #expect(model.state.notice?.kind == .storage && model.state.notice?.action == nil)
        #expect(model.state.notice?.text == "There isn’t enough storage space. Free up space and try again.")
    }

    @Test func `doesn't add a row again that is removed twice`() async {
        let removals = ControlledResponses<Favorite.ID, Bool>()
        var slow = favorites
        slow.onCall = { call throws(BrowseError) in
            if case .remove(let id) = call { _ = try await removals.response(to: id) }
            return nil
        }
        let model = model(slow)
        await model.show()
        let first = Task { await model.remove(at: 0) }
        await removals.waitForRequests(1)
        let second = Task { await model.remove(at: 0) }
        // The main actor runs tasks in order.
        let look = Task { model.state.content.rows[0].isFavorite }
        #expect(await look.value == false)
        removals.answer(0, with: .success(true))
        await first.value
        await second.value
    }

    @Test func `reports a recovered file, before and while it's shown`() async {
        let (changes, feed) = AsyncStream.makeStream(of: FavoriteChange.self)
        let recovery = StorageRecovery(damagedFile: "favorites-damaged-1.sqlite", savedCount: 1234)
        var hooked = favorites
        hooked.onChanges = { changes }
        feed.yield(.recovered(recovery))
        let model = model(hooked)
        await model.show()
        let state = await model.until { $0.notice != nil }
        #expect(
            state.notice?.text
                == "The favorites file was damaged. 1,234 favorites were recovered. The damaged file is saved as “favorites-damaged-1.sqlite”."
        )
        feed.yield(.recovered(StorageRecovery(damagedFile: "favorites-damaged-2.sqlite", savedCount: 1)))
        feed.yield(.replaced([]))
        await model.until { $0.notice?.text.contains("damaged-2") == true && $0.content.status == .ready }
        #expect(model.state.content.rows.count == 4)
    }

    @Test func `keeps its rows if favorites were replaced and can't be read`() async {
        let (changes, feed) = AsyncStream.makeStream(of: FavoriteChange.self)
        let fails = Mutex(false)
        var hooked = favorites
        hooked.onChanges = { changes }
        hooked.onCall = { _ throws(BrowseError) in
            guard fails.withLock(\.self) else { return nil }
            throw .storageFailed(StorageFailure(reason: .busy, file: "favorites"))
        }
        let model = model(hooked)
        await model.show()
        fails.withLock { $0 = true }
        feed.yield(.replaced([]))
        let state = await model.until { $0.notice != nil || $0.content.status.message != nil }
        #expect(names(state) == ["Ash", "ash-2", "bob", "zoe"])
    }

    @Test func `loads again if all favorites are replaced during a load`() async throws {
        let held = ControlledResponses<FavoriteQuery, Page<Favorite>>()
        let (changes, feed) = AsyncStream.makeStream(of: FavoriteChange.self)
        var hooked = favorites
        hooked.onCall = { call throws(BrowseError) in
            if case .page(let query, _) = call { try await held.response(to: query) } else { nil }
        }
        hooked.onChanges = { changes }
        let model = model(hooked)
        let show = Task { await model.show() }
        await held.waitForRequests(1)
        feed.yield(.replaced([]))
        feed.yield(.recovered(StorageRecovery(damagedFile: "x", savedCount: 1)))
        await model.until { $0.notice != nil }
        held.answer(0, with: .success(Page(items: [.user(.sample(1))])))
        await show.value
        #expect(names(model.state) == ["user-1"])
        await held.waitForRequests(2)
        #expect(model.state.content.status == .refreshing)
        held.answer(1, with: .success(Page(items: [.user(.sample(2))])))
        await model.until { names($0) == ["user-2"] && $0.content.status == .ready }
    }

    @Test func `shows a favorite that is added after a canceled load of an empty list`() async throws {
        let held = ControlledResponses<FavoriteQuery, Page<Favorite>>()
        let store = InMemoryFavoriteRepository()
        var hooked = store
        hooked.onCall = { call throws(BrowseError) in
            if case .page(let query, _) = call { try await held.response(to: query) } else { nil }
        }
        let model = model(hooked)
        held.answer(0, with: .success(Page(items: [])))
        await model.show()
        let show = Task { await model.show() }
        await held.waitForRequests(2)
        show.cancel()
        await show.value
        _ = try #require(model.state.content.status.emptyMessage)
        _ = try await store.add(.user(.sample(1)))
        await model.until { names($0) == ["user-1"] }
    }

    @Test func `cancels its load when the view model is released`() async throws {
        let held = ControlledResponses<FavoriteQuery, Page<Favorite>>()
        var hooked = favorites
        hooked.onCall = { call throws(BrowseError) in
            if case .page(let query, _) = call { try await held.response(to: query) } else { nil }
        }
        var model: FavoriteListViewModel? = model(hooked)
        held.answer(0, with: .success(Page(items: [.user(.sample(1))])))
        await model?.show()
        model?.query.filter = "x"
        await held.waitForRequests(2)
        model = nil
        try await waitUntil { held.waitingCount == 0 }
        #expect(model == nil)
    }

    @Test func `returns the route to a profile or a repository`() async {
        let repo = GitHub.Repo.sample(1)
        let model = model(InMemoryFavoriteRepository([.user(.sample(1)), .repo(repo)]))
        model.query.order = .added
        await model.show()
        #expect(model.select(at: 0) == .gitHub(.account(GitHub.User.ID(rawValue: 1))))
        #expect(model.select(at: 1) == .gitHub(.repo(repo.id)))
        #expect(model.select(at: 2) == nil)
    }

    /// Favorites are added, renamed, and removed while pages load, in random order. In the end the list equals a new one.
    @Test(arguments: 0..<60)
    func `matches the storage after any sequence of changes and loads`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let held = ControlledResponses<Int, Void>()
        let store = InMemoryFavoriteRepository(pageSize: Int.random(in: 1...5, using: &random))
        for number in 0..<Int.random(in: 0...20, using: &random) { _ = try await store.add(.user(.sample(number))) }
        var hooked = store
        hooked.onCall = { call throws(BrowseError) in
            guard case .page(let query, let cursor) = call else { return nil }
            let page = try await store.page(of: query, at: cursor)
            // Between the moment in which a page is read and that in which it arrives, anything may happen.
            try await held.response(to: 0)
            return page
        }
        let model = model(hooked)
        model.query.order = Bool.random(using: &random) ? .added : .name
        var tasks = [Task { await model.show() }]
        var answered = 0
        for _ in 0..<40 {
            switch Int.random(in: 0..<7, using: &random) {
            case 0, 1:
                _ = try await store.add(.user(.sample(Int.random(in: 0..<30, using: &random))))
            case 6:
                let number = Int.random(in: 0..<30, using: &random)
                let login = "user-\(Int.random(in: 0..<30, using: &random))-\(number)"
                try await store.update([.user(.sample(number, login: login))])
            case 2:
                _ = try await store.remove(.init(kind: .user, key: "\(Int.random(in: 0..<30, using: &random))"))
            case 3:
                tasks.append(Task { await model.loadMore() })
            case 4 where model.state.content.rows.count > 0:
                let position = Int.random(in: 0..<model.state.content.rows.count, using: &random)
                tasks.append(Task { await model.remove(at: position) })
            default:
                held.answer(answered, with: .success(()))
                answered += 1
            }
            // Random interleaving: any number of turns is correct.
            for _ in 0..<Int.random(in: 0..<4, using: &random) { await Task.yield() }
        }
        for number in answered..<(answered + 200) { held.answer(number, with: .success(())) }
        for task in tasks { await task.value }
        while model.state.content.hasMore, !Task.isCancelled {
            // While another load is in flight, `loadMore` does nothing.
            await model.until { ![.loading, .refreshing, .loadingMore].contains($0.content.status) }
            await model.loadMore()
        }
        var all: [Favorite] = []
        var cursor: PageCursor?
        repeat {
            let page = try await store.page(of: model.query, at: cursor)
            all += page.items
            cursor = page.next
        } while cursor != nil
        // A row that was removed and added again looks removed until both changes have arrived.
        await model.until { $0.content.rows.map(\.favorite) == all && $0.content.rows.allSatisfy(\.isFavorite) }
    }

    @Test func `explains an empty list by the kinds of the filter`() async throws {
        let model = model()
        model.query = FavoriteQuery(kinds: [.repo])
        await model.show()
        let message = try #require(model.state.content.status.emptyMessage)
        #expect(message.kind == .noMatches && message.action == .clearFilter)
        #expect(message.text == "Nothing matches the filter.")
    }

    @Test func `changes its groups with the order, even for the same rows`() async {
        let favorites = InMemoryFavoriteRepository([.user(.sample(1, login: "ash")), .user(.sample(2, login: "bob"))])
        let model = model(favorites)
        await model.show()
        for (order, letters) in [(FavoriteQuery.Order.added, 0), (.name, 2), (.added, 0)] {
            model.query.order = order
            let state = await model.until { $0.content.status == .ready }
            #expect(names(state) == ["ash", "bob"])
            #expect(state.sections.count == letters, "\(order)")
        }
    }

    @Test func `keeps its groups until the rows of another order arrive`() async throws {
        let names = ["b", "a", "c", "A2", "김", "깨비"]
        let store = InMemoryFavoriteRepository(names.enumerated().map { .user(.sample($0, login: $1)) })
        let held = ControlledResponses<FavoriteQuery, Void>()
        var hooked = store
        hooked.onCall = { call throws(BrowseError) in
            if case .page(let query, _) = call { try await held.response(to: query) }
            return nil
        }
        held.answer(0, with: .success(()))
        let model = model(hooked)
        model.query.order = .added
        await model.show()
        #expect(model.state.sections.isEmpty)
        let recorder = StateRecorder(of: model)
        for (order, isAnswered) in [(FavoriteQuery.Order.name, false), (.added, false), (.name, true), (.added, true)] {
            // Counted before the change, which starts the request.
            let number = held.requests.count
            model.query.order = order
            await held.waitForRequests(number + 1)
            guard isAnswered else { continue }
            held.answer(number, with: .success(()))
            await model.until { $0.content.status == .ready }
        }
        for state in recorder.states {
            let titles = state.sections.map(\.title)
            #expect(Set(titles).count == titles.count)
            for group in state.sections {
                #expect(
                    group.positions.allSatisfy {
                        FavoriteSectionKey(of: state.content.rows[$0].favorite.title).title == group.title
                    }
                )
            }
            #expect(
                state.sections.isEmpty || state.content.rows.map(\.favorite.title) == ["a", "A2", "b", "c", "김", "깨비"]
            )
        }
        let sections = recorder.states.map(\.sections).first { !$0.isEmpty }
        #expect(sections?.map(\.title) == ["A", "B", "C", "ㄱ"])
    }

    @Test(arguments: [
        (ScreenOptions.korean, ["계정", "등장인물", "앱", "저장소"]),
        (.english, ["Accounts", "Apps", "Characters", "Repositories"]),
    ])
    func `offers its kinds by their titles in its language`(options: ScreenOptions, titles: [String]) throws {
        let model = FavoriteListViewModel(favorites: favorites, kinds: .samples, options: options)
        let field = try #require(model.state.fields.first { $0.id == "kind" })
        guard case .choice(let choices) = field.input else {
            Issue.record("\(field.input)")
            return
        }
        #expect(choices.dropFirst().map(\.title) == titles)
    }
}
