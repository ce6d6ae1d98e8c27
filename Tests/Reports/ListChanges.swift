import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

@MainActor
@Suite(.bounded)
struct `Reports about lists that change` {
    private let starred = "/user/starred"

    /// QuantumBadger/RedReader#168
    @Test(arguments: [ScriptedServer.Response.offline, .status(503)])
    func `a refresh that the server doesn't answer keeps all pages`(failure: ScriptedServer.Response) async {
        let service = RowService(Array(1...250))
        let list = await service.followers()
        await list.loadAll()
        let before = list.state.content.rows
        service.answer("GET 1", with: failure)
        await list.refresh()
        #expect(list.ids == Array(1...250) && list.state.content.rows.change(since: before) == .none)
        #expect(list.state.content.age != nil && !list.state.content.hasMore)
        service.answer("GET 1", with: nil)
        await list.refresh()
        #expect(list.ids == Array(1...100) && list.state.content.age == nil)
    }

    /// QuantumBadger/RedReader#168
    @Test(arguments: [ScriptedServer.Response.offline, .html().ofProxy()])
    func `pages behind a first one are shown from the cache, and stay`(failure: ScriptedServer.Response) async {
        let (service, time) = (RowService(Array(1...250)), Monitor(Date.reports))
        let container = service.container { ($0.loadPolicy, $0.now) = (.freshElseCached, { time.value }) }
        await container.followers().loadAll()
        time.withLock { $0 += 60 }
        let list = await container.followers()
        for page in 2...3 { service.answer("GET \(page)", with: failure) }
        await list.loadMore()
        await list.loadMore()
        #expect(list.ids == Array(1...250) && list.state.content.provenance == .offline(since: .reports))
        service.answer("GET 1", with: .offline)
        await list.refresh()
        #expect(list.ids == Array(1...250))
    }

    /// TanStack/query#4128
    @Test func `a refresh of several pages finds the row that moved behind them`() async {
        let service = RowService(Array(1...30), of: "/user/repos", pageSize: 10)
        let list = await service.repos(.own)
        await list.loadAll()
        #expect(list.ids == Array(1...30) && !list.state.content.hasMore)
        service.state.withLock { $0.lists["/user/repos"]?.insert(31, at: 0) }
        await list.refresh()
        #expect(list.ids.first == 31 && list.state.content.hasMore)
        await list.loadAll()
        #expect(list.ids == [31] + Array(1...30))
    }

    /// galaxyproject/galaxy#2707
    @Test(arguments: [true, false])
    func `stars that are removed move no row out of sight`(isAll: Bool) async throws {
        let service = RowService(Array(1...205), of: starred)
        let list = await service.repos(.starred)
        for id in [5, 50] { await list.setStar(RepoRow.ID(rawValue: Int64(id)), to: false) }
        if isAll { await list.loadAll() } else { for _ in 0..<3 { await list.loadMore() } }
        let message = try #require(list.state.content.status.message)
        #expect(list.state.content.status == .incomplete(message) && message.text.contains("incomplete"))
        await list.perform(try #require(message.action))
        await list.loadAll()
        #expect(Set(list.ids).isSuperset(of: [101, 102]) && list.state.content.status == .ready)
    }

    /// fossasia/open-event-organizer-android#64, wordpress-mobile/WordPress-Android#2959
    @Test(arguments: [ScriptedServer.Response.offline, .status(503)], [true, false])
    func `rows stay during a refresh and after its failure, which is told`(
        failure: ScriptedServer.Response,
        isStored: Bool
    ) async {
        let service = RowService(Array(1...50))
        let container = service.container { if !isStored { $0.cacheByteLimit = 0 } }
        let list = await service.followers(in: container)
        service.answer("GET 1", with: failure)
        await service.hold({ await list.refresh() }) {
            #expect(list.ids == Array(1...50) && list.state.content.status == .refreshing)
        }
        let content = list.state.content
        #expect(list.ids == Array(1...50) && (isStored ? content.age != nil : content.layout.header?.action == .retry))
        service.answer("GET 1", with: nil)
        await list.refresh()
        #expect(list.state.content.status == .ready && list.state.content.age == nil)
        #expect(list.state.content.layout.header == nil)
    }

    /// BasedHardware/omi#10878, ulsklyc/yuvomi#1109
    @Test(arguments: [true, false])
    func `a star that was removed doesn't come back with an older reply`(isReadFirst: Bool) async {
        let service = RowService(Array(1...5), of: starred)
        let list = await service.repos(.starred)
        let id = RepoRow.ID(rawValue: 3)
        let count = service.sent.count
        // The write is held back, or the reads that were sent before it.
        service.state.withLock { $0.held = isReadFirst ? Set(count..<count + 9) : [count] }
        let read = isReadFirst ? Task { await list.refresh() } : nil
        if isReadFirst { await service.waitForRequests(count + 1) }
        let write = Task { _ = await list.setStar(id, to: false) }
        await service.state.wait { $0.sent.contains("DELETE r3") }
        #expect(list.row(id)?.isStarred == false)
        if isReadFirst {
            service.release(service.sent.firstIndex(of: "DELETE r3") ?? 0)
        } else {
            await list.refresh()
            #expect(list.row(id)?.isStarred != true)
            service.release()
        }
        await write.value
        service.release()
        await read?.value
        #expect(list.row(id)?.isStarred != true)
        await list.refresh()
        #expect(list.ids == [1, 2, 4, 5])
    }

    /// elastic/kibana#156174
    @Test(arguments: [422, 500])
    func `of five stars that are removed, only the refused one comes back`(status: Int) async {
        let service = RowService(Array(1...5), of: starred)
        service.state.withLock { $0.lists["/users/mona/repos"] = Array(1...6) }
        let list = await service.repos(.publicRepos(of: .mona))
        service.answer("DELETE r3", with: .json("{}", status: status, headers: .gitHub))
        let seen = StateRecorder(of: list)
        let taps = (1...5).map { id in Task { _ = await list.setStar(RepoRow.ID(rawValue: Int64(id)), to: false) } }
        await service.state.wait { $0.sent.contains("DELETE r2") }
        await list.refresh()
        for tap in taps { await tap.value }
        #expect(list.state.notice != nil)
        await list.refresh()
        #expect(list.state.content.rows.map(\.isStarred) == [false, false, true, false, false, false])
        for position in [0, 1, 3, 4] {
            let changes = seen.states.map { $0.content.rows[position].isStarred }
            #expect(changes.drop { $0 }.allSatisfy { !$0 })
        }
    }

    /// android/architecture-components-samples#880
    @Test func `pages, stars, and a filter aren't another list`() async {
        let service = RowService(Array(1...250), of: "/users/mona/repos")
        let list = await service.repos(.publicRepos(of: .mona))
        var before = list.state.content.rows
        func expectUpdate(_ step: String) {
            #expect(list.state.content.rows.change(since: before).positions != nil, "\(step)")
            before = list.state.content.rows
        }
        await list.loadMore()
        expectUpdate("page")
        await list.setStar(RepoRow.ID(rawValue: 7), to: true)
        expectUpdate("star")
        list.filter = "r7"
        expectUpdate("filter")
        list.filter = ""
        expectUpdate("no filter")
    }

    /// androidx/androidx#750
    @Test func `favorites that another process removes leave at most as many rows`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lists-\(UUID())")
        let service = RowService(Array(1...120))
        let container = service.container { $0.storageFolder = folder }
        let other = SQLiteFavoriteRepository(folder: folder)
        let users = (1...120).map { Favorite(GitHub.User(id: .init(rawValue: $0), login: GitHub.Login("u\($0)"))) }
        for user in users { _ = try await other.add(user) }
        let list = container.favoriteListViewModel()
        list.query = FavoriteQuery(order: .added)
        await list.show()
        await list.loadAll()
        #expect(list.state.content.rows.count == 120)
        let before = list.state.content.rows
        for user in users[40..<100] { _ = try await other.remove(user.id) }
        await list.showIfNeeded()
        try await waitUntil { list.state.content.rows.count == 60 }
        let rows = list.state.content.rows
        let kept = before.indices.filter { !(40..<100).contains($0) }
        #expect(rows.map(\.id) == kept.map { before[$0].id } && list.state.content.status == .ready)
        // Not an update, since the list had two pages: a view starts at its first row.
        #expect(rows.change(since: before) == .reset)
    }

    /// amule-org/amule#1306, todotxt/todo.txt-android#55
    @Test func `a row that moves is no reason to scroll to the top`() async {
        let service = RowService(Array(1...5), of: "/users/mona/repos")
        let list = await service.repos(.publicRepos(of: .mona))
        for (order, change) in [([4, 1, 2, 3, 5], [[3], [0], [], []]), ([1, 2, 3, 5, 4], [[0], [4], [], []])] {
            let before = list.state.content.rows
            service.state.withLock { $0.lists["/users/mona/repos"] = order }
            await list.refresh()
            #expect(list.ids == order && list.state.content.rows.change(since: before).positions == change)
        }
    }

    /// rinigus/pure-maps#346
    @Test func `a favorite with a new name moves, and only another order starts over`() async throws {
        let container = Container.offline()
        let names = ["Ann", "Bob", "Cy", "Dee"]
        for (number, name) in names.enumerated() { try await container.addFavorite(number + 1, named: name) }
        let list = await container.favorites()
        let before = list.state
        let renamed = RickAndMorty.Character(id: .init(rawValue: 1), name: "Zoe")
        try await container.favoriteRepository().update([Favorite(renamed)])
        try await waitUntil { list.state.content.rows.last?.favorite.title == "Zoe" }
        let change = list.state.content.rows.change(since: before.content.rows)
        #expect(change.positions == [[0], [3], [], []])
        #expect(list.state.sections.change(since: before.sections, with: change) != .reset)
        list.query.order = .added
        await list.submit()
        #expect(list.state.content.rows.change(since: before.content.rows) == .reset)
    }

    /// mpyw/suve#699, HubTurbo/HubTurbo#290
    @Test func `a selection follows its row when others are inserted above`() async {
        let service = RowService(Array(1...5), of: "/users/mona/repos")
        let list = await service.repos(.publicRepos(of: .mona))
        let (before, selected) = (list.state.content.rows, list.state.content.rows[2].id)
        service.state.withLock { $0.lists["/users/mona/repos"] = [8, 9] + Array(1...5) }
        await list.refresh()
        #expect(list.state.content.rows.change(since: before).positions == [[], [0, 1], [], []])
        await list.toggleStar(selected)
        #expect(list.state.content.rows[4].id == selected && list.select(selected) != nil)
        #expect(list.state.content.rows.map(\.isStarred) == [false, false, false, false, true, false, false])
    }
}
