import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

@MainActor
@Suite(.bounded)
struct `Reports about the pages of lists` {
    /// EdsonBueno/infinite_scroll_pagination#266
    @Test func `a page that was requested before a refresh isn't added after it`() async {
        let service = RowService(Array(1...200))
        let list = await service.followers()
        service.hold(1)
        let more = Task { await list.loadMore() }
        await service.waitForRequests(2)
        await list.refresh()
        service.release()
        await more.value
        await list.loadMore()
        #expect(service.sent == ["GET 1", "GET 2", "GET 1", "GET 2"] && list.ids == Array(1...200))
    }

    /// EdsonBueno/infinite_scroll_pagination#382
    @Test func `refreshes at once, and one that is too early, end with the first page`() async {
        let service = RowService(Array(1...150))
        let list = service.container().followerListViewModel()
        let early = Task { await list.refresh() }
        let show = Task { await list.show(.followers(of: GitHub.Login("octocat"))) }
        let refreshes = (0..<2).map { _ in Task { await list.refresh() } }
        for task in [early, show] + refreshes { await task.value }
        #expect(list.ids == Array(1...100) && list.state.content.status == .ready)
        #expect(Set(service.sent) == ["GET 1"] && service.sent.count <= 2)
    }

    /// EdsonBueno/infinite_scroll_pagination#148, EdsonBueno/infinite_scroll_pagination#221
    @Test func `views of one list request each page once, see the same, and leave nothing behind`() async throws {
        let service = RowService(Array(1...150))
        let list = await service.followers()
        let views = [0, 1].map { _ in
            Task { @MainActor in
                var seen: [Int] = []
                for await state in list.states.every {
                    seen.append(state.content.rows.count)
                    if seen.last == 150 { break }
                }
                return seen
            }
        }
        let appearances = views.map { _ in
            Task {
                await list.showIfNeeded(.followers(of: GitHub.Login("octocat")))
                await list.appear(100)
            }
        }
        for appearance in appearances { await appearance.value }
        #expect(await views[0].value == views[1].value && service.sent == ["GET 1", "GET 2"])
        for _ in 0..<5 {
            let reader = Task { for await _ in list.states {} }
            await list.showIfNeeded(.followers(of: GitHub.Login("octocat")))
            reader.cancel()
            await reader.value
        }
        await list.refresh()
        #expect(service.sent == ["GET 1", "GET 2", "GET 1"])
    }

    /// EdsonBueno/infinite_scroll_pagination#172
    @Test func `of three searches whose replies come in another order, the last one is shown from its first row`()
        async throws
    {
        let service = RowService(Array(1...120), of: "one")
        service.state.withLock { ($0.lists["two"], $0.lists["three"]) = (Array(201...320), Array(401...520)) }
        let search = service.container().userSearchViewModel()
        service.hold(0, 1, 2)
        var taps: [Task<Void, Never>] = []
        for (number, text) in ["one", "two", "three"].enumerated() {
            search.query.text = text
            taps.append(Task { await search.submit() })
            await service.waitForRequests(number + 1)
        }
        for number in [2, 0, 1] { service.release(number) }
        for tap in taps { await tap.value }
        #expect(search.ids == Array(401...500) && service.sent.count == 3)
    }

    /// petyosi/react-virtuoso#928
    @Test func `a screen that isn't filled goes on by the rows that appear, and then offers more`() async {
        let service = RowService(Array(1...9), pageSize: 2)
        let list = await service.followers()
        var seen: Set<Int> = []
        func fill() async {
            while let id = list.ids.prefix(20).first(where: { !seen.contains($0) }) {
                seen.insert(id)
                await list.appear(id)
            }
        }
        list.filter = "u1"
        await fill()
        #expect(list.ids == [1] && list.state.content.hasMore)
        guard case .message(let message) = list.state.content.layout.footer else {
            Issue.record("\(list.state.content)")
            return
        }
        #expect(message.action == .loadAll)
        list.filter = ""
        await fill()
        #expect(list.ids == Array(1...9) && service.sent == (1...5).map { "GET \($0)" })
    }

    /// react/react-native#20033
    @Test func `a filter without matches offers the pages that weren't searched`() async {
        let service = RowService(Array(1...300))
        service.state.withLock { $0.names[250] = "Zed" }
        let list = await service.followers()
        list.filter = "zed"
        guard case .noMatches(let message) = list.state.content.status, let action = message.action else {
            Issue.record("\(list.state.content.status)")
            return
        }
        #expect(message.text.contains("100"))
        await list.perform(action)
        #expect(list.ids == [250])
    }

    /// react/react-native#14456
    @Test func `rows that appear before the first page request nothing else`() async {
        let service = RowService(Array(1...300))
        service.hold(0)
        let list = service.container().followerListViewModel()
        await list.appear(1)
        let show = Task { await list.show(.followers(of: GitHub.Login("octocat"))) }
        await service.waitForRequests(1)
        await list.appear(1)
        let more = Task { await list.loadMore() }
        #expect(list.state.content.rows.images(around: -1..<0).isEmpty)
        service.release()
        await show.value
        await more.value
        #expect(service.sent == ["GET 1"] && list.ids.count == 100)
    }

    /// react/react-native#15148, apify/apify-client-js#1032
    @Test(arguments: [true, false]) func `a page without new rows is passed`(isEmpty: Bool) async {
        let service = RowService(Array(1...200) + Array(101...200) + Array(201...240))
        let list = await service.followers()
        await list.appear(95)
        let link = "<https://api.github.com\(RowService.followers)?per_page=100&page=4>; rel=\"next\""
        if isEmpty { service.answer("GET 3", with: .json("[]", headers: ["Link": link])) }
        await list.appear(195)
        #expect(list.ids == Array(1...240) && service.sent == (1...4).map { "GET \($0)" })
        #expect(!list.state.content.hasMore && list.state.content.status == .ready)
    }

    /// jointakahe/takahe#518
    @Test func `rows that moved to the next page are there once`() async {
        let service = RowService(Array(1...250))
        let list = await service.followers()
        let before = list.state.content.rows
        service.state.withLock { $0.lists[RowService.followers]?.insert(contentsOf: [901, 902], at: 0) }
        await list.loadMore()
        let change = list.state.content.rows.change(since: before)
        #expect(change.positions == [[], [], Array(100..<198), []])
        await list.loadMore()
        #expect(list.ids == Array(1...250))
    }

    struct Number: ListRow { let id: Int }

    /// taiyme/misskey#229
    @Test func `a cursor that counts rows counts those that the server gave`() async {
        let asked = Monitor<[Int]>([])
        let list = PagedListViewModel<Int, Number>(
            options: ScreenOptions(texts: Texts(locale: .init(identifier: "en"), timeZone: .gmt))
        ) {
            "\($0)"
        } empty: { _ in
            Message(kind: .empty, title: "", text: "")
        } page: { _, cursor in
            let start = cursor.flatMap { Int($0.rawValue) } ?? 0
            asked.withLock { $0.append(start) }
            let rows = Array(start..<start + 20).map { $0 % 20 == 0 ? 0 : $0 }
            return Page(items: rows, next: start < 60 ? PageCursor(rawValue: "\(start + 20)") : nil)
        } row: {
            Number(id: $0)
        }
        await list.show(1)
        for _ in 0..<3 {
            for row in Array(list.state.content.rows) + list.state.content.rows.reversed() {
                await list.rowAppeared(row.id)
            }
        }
        #expect(asked.value == [0, 20, 40, 60] && list.state.content.rows.count == 77)
    }

    /// pixelfed/pixelfed#1200
    @Test func `one follower is requested once`() async {
        let service = RowService([7])
        let list = await service.followers()
        for _ in 0..<50 { await list.appear(7) }
        #expect(service.sent == ["GET 1"] && list.ids == [7] && !list.state.content.hasMore)
    }

    /// Instagram/IGListKit#1147
    @Test func `an id that is twice on a page is one row, and isn't counted twice`() async {
        let service = RowService(Array(1...39) + [3] + Array(40...99), of: "x")
        let search = service.container().repoSearchViewModel()
        search.query.text = "x"
        let before = search.state.content.rows
        await search.submit()
        #expect(search.ids == Array(1...99) && search.state.content.loadedCount == 99)
        #expect(search.state.content.rows.change(since: before) == .reset && search.state.content.status == .ready)
    }

    /// sc2-pulse/sc2-pulse#365
    @Test func `a page that fails isn't requested by redrawing`() async {
        let service = RowService(Array(1...100), pageSize: 5)
        let list = await service.followers(in: service.container { $0.retries = .standard })
        service.answer("GET 2", with: .status(500, headers: .gitHub))
        for _ in 0..<600 { await list.appear(5) }
        #expect((1...5).contains(service.sent.count { $0 == "GET 2" }) && list.ids == Array(1...5))
    }

    /// bluesky-social/social-app#375, metafizzy/infinite-scroll#781, ampproject/amphtml#20647
    @Test func `a page that fails is tried again from the end of the list, and a complete list asks nothing`() async {
        let service = RowService(Array(1...250))
        let list = await service.followers()
        await list.loadMore()
        service.answer("GET 3", with: .failure(.notConnectedToInternet))
        await list.appear(200)
        await list.appear(200)
        guard case .message(let message) = list.state.content.layout.footer, let action = message.action else {
            Issue.record("\(list.state.content)")
            return
        }
        #expect(list.ids == Array(1...200) && message.kind == .offline && service.sent.count == 3)
        service.answer("GET 3", with: nil)
        await list.perform(action)
        #expect(list.ids == Array(1...250) && list.state.content.layout.footer == nil)
        for _ in 0..<20 { await list.appear(250) }
        #expect(service.sent == ["GET 1", "GET 2", "GET 3", "GET 3"])
    }

    /// inventaire/inventaire-client#397
    @Test func `a search that ends at the limit says so`() async {
        let service = RowService(Array(1...1200), of: "x")
        service.state.withLock { $0.total = 40_000 }
        let search = service.container().userSearchViewModel()
        search.query.text = "x"
        await search.submit()
        await search.loadAll()
        await search.appear(1000)
        #expect(search.ids == Array(1...1000) && !service.sent.contains("GET 11"))
        #expect(search.state.summary == "First 1,000 of 40,000 results")
        #expect(search.state.content.layout.footer == nil && !search.state.content.hasMore)
    }
}
