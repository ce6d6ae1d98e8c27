import BrowseKit
import BrowseMocks
import Dispatch
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

@MainActor
@Suite(.bounded)
struct `Reports about favorites and saved copies` {
    private let server = ScriptedServer()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "saved-\(UUID())")

    /// Opens a route as an app does: the preview for the first frame, then the number.
    private func open(_ route: Route?, in container: Container) throws -> (AppDetailViewModel, AppStore.AppID) {
        guard case .other(let destination) = route,
            case .app(let id, let preview) = destination.value(as: AppStore.Screen.self)
        else { throw CancellationError() }
        let page = container.appDetailViewModel()
        if let preview { page.showIfNeeded(preview) }
        return (page, id)
    }

    private func container(_ server: ScriptedServer, at now: Date = .reports) -> Container {
        .reports(server) { ($0.storageFolder, $0.now) = (folder, { now }) }
    }

    /// Saves an app, and opens its favorite in another process, a year later.
    private func saved() async throws -> (AppDetailViewModel, AppStore.AppID, Container) {
        let free = #""price":0,"formattedPrice":"Free","screenshotUrls":["https://i.example/1.png"]"#
        let before = ScriptedServer()
        before.on(.any, response: .apps(free))
        await container(before).app().toggleFavorite()
        let elsewhere = container(server, at: .reports + 31_536_000)
        let list = elsewhere.favoriteListViewModel()
        await list.showIfNeeded()
        let (opened, id) = try open(list.select(try #require(list.state.content.rows.first).id), in: elsewhere)
        return (opened, id, elsewhere)
    }

    @Test func `a saved app says that it's a saved copy, then shows the present price`() async throws {
        server.on(.any, response: .apps(#""price":9.99,"formattedPrice":"$9.99","currency":"USD""#))
        let (page, id, _) = try await saved()
        #expect(page.state.content.details?["price"]?.value == "Free")
        #expect(page.state.content.provenance == .saved && page.state.content.age != nil)
        for _ in 0..<2 {
            await page.showIfNeeded(id)
            #expect(page.state.content.details?["price"]?.value == "$9.99")
            #expect(page.state.content.provenance == .fresh && page.state.content.age == nil)
        }
        #expect(server.requests.count == 1)
    }

    @Test func `a saved app stays a saved copy while the device is offline`() async throws {
        server.on(.any, response: .offline)
        let (page, id, elsewhere) = try await saved()
        await page.showIfNeeded(id)
        #expect(page.state.title == "Tea" && page.state.notice != nil)
        #expect(page.state.content.provenance == .saved && page.state.content.age != nil)
        guard case .other(let destination) = page.openScreenshot(at: 0),
            case .screenshotGallery(_, _, let preview?) = destination.value(as: AppStore.Screen.self)
        else { throw CancellationError() }
        let gallery = elsewhere.appDetailViewModel()
        gallery.showIfNeeded(preview, at: 0)
        #expect(gallery.state.content.provenance == .saved)
        await gallery.showIfNeeded(id, at: 0)
        #expect(gallery.state.title == "1 of 1" && gallery.state.content.provenance == .saved)
    }

    @Test func `a saved app that the store doesn't have anymore can be removed`() async throws {
        server.on(.any, response: .apps())
        let (page, id, elsewhere) = try await saved()
        await page.showIfNeeded(id)
        #expect(page.state.title == "Tea" && page.state.isFavorite && page.state.content.isUnavailable)
        #expect(page.state.content.age?.contains("App Store") == true)
        await page.refresh()
        #expect(page.state.title == "Tea" && page.state.isFavorite)
        await page.toggleFavorite()
        #expect(try await elsewhere.favoriteRepository().ids().isEmpty)
        await page.refresh()
        #expect(page.state.content.details == nil)
    }

    @Test(arguments: [(0, Provenance.fresh), (3600, .stale(since: .reports))])
    func `the row of a search is as current as its page was`(delay: TimeInterval, expected: Provenance) async throws {
        server.on(.any, response: .apps(#""formattedPrice":"Free""#))
        let time = Monitor(Date.reports)
        let all = Container.reports(server) { $0.now = { time.value } }
        let search = await all.apps(for: "tea")
        time.withLock { $0 += delay }
        let (page, id) = try open(search.select(try #require(search.state.content.rows.first).id), in: all)
        #expect(page.state.content.provenance == expected)
        await page.showIfNeeded(id)
        #expect(server.requests.count == 2 && page.state.content.provenance == .fresh)
    }

    private func characters() -> Container {
        let rows = ["A", "B", "C"].enumerated().map { #"{"id":\#($0.offset + 1),"name":"\#($0.element)"}"# }
        let page = #"{"info":{"count":3,"next":null},"results":[\#(rows.joined(separator: ","))]}"#
        server.on(.any, response: .json(page))
        return container(server)
    }

    /// groue/GRDB.swift#702
    @Test(arguments: ["window", "foreground", "appearance"])
    func `a change by another process shows when a screen appears, and one by a window at once`(
        event: String
    ) async throws {
        let all = characters()
        let list = await all.characters()
        let saved = await all.favorites()
        // A repository of its own is like another process.
        let process: any FavoriteRepository = SQLiteFavoriteRepository(folder: folder)
        let other = event == "window" ? characters().favoriteRepository() : process
        let favorite = list.state.content.rows[0].favorite
        for isAdded in [true, false] {
            _ = try await isAdded ? other.add(favorite) : other.remove(favorite.id)
            if event == "foreground" { await all.appDidBecomeActive() }
            if event == "appearance" { await saved.showIfNeeded() }
            try await waitUntil { saved.state.content.rows.count == (isAdded ? 1 : 0) }
            try await waitUntil { list.state.content.rows[0].isFavorite == isAdded }
        }
    }

    @Test func `a second tap undoes the first one in its place`() async throws {
        let all = characters()
        let list = await all.characters()
        let saved = all.favoriteListViewModel()
        for row in list.state.content.rows { await list.toggleFavorite(row.id) }
        saved.query = FavoriteQuery(order: .added)
        await saved.show()
        let id = saved.state.content.rows[1].id
        let taps = (0..<2).map { _ in Task { await saved.toggleFavorite(id) } }
        for tap in taps { await tap.value }
        #expect(saved.state.content.rows.map(\.favorite.title) == ["A", "B", "C"])
        #expect(saved.state.content.rows[1].isFavorite)
        let stored = try await all.favoriteRepository().page(of: saved.query, at: nil)
        #expect(stored.items.map(\.title) == ["A", "B", "C"])
    }

    private func list(_ names: [String], in all: Container = .offline()) async throws -> FavoriteListViewModel {
        for (number, name) in names.enumerated() { try await all.addFavorite(number + 1, named: name) }
        return await all.favorites()
    }

    /// miguelbcr/OkAdapters#10, davideas/FlexibleAdapter#434
    @Test func `quick removals are all stored, and only the one that is undone comes back`() async throws {
        let all = Container.offline()
        let list = try await list(["A", "B", "C", "D"], in: all)
        let rows = list.state.content.rows.map(\.id)
        let taps = rows.prefix(3).map { id in Task { await list.toggleFavorite(id) } }
        for tap in taps { await tap.value }
        try await waitUntil { list.state.content.rows.count == 1 }
        #expect(try await all.favoriteRepository().ids() == [rows[3]])
        try await all.addFavorite(3, named: "C")
        try await waitUntil { list.state.content.rows.map(\.favorite.title) == ["C", "D"] }
        #expect(try await all.favoriteRepository().ids() == Set(rows[2...]))
    }

    /// libasys/contactsplus#89, gturri/nspages#111, new-usemame/Calibre-Web-NextGen#521
    @Test(arguments: [
        (["Lech", "Łukasz", "Lidia", "Świt", "Sam"], ["L", "S", "Ł"]),
        (["zoo", "Éclair", "Ezra", "e\u{300}lan", "Ünlü", "ñandú", "Ärlig"], ["A", "E", "N", "U", "Z"]),
        (["가방", "각도기", "김치", "나무", "까치", "1password", "zoom"], ["Z", "ㄱ", "ㄴ", "0–9"]),
    ])
    func `each group appears once, and has each favorite once`(names: [String], titles: [String]) async throws {
        let list = try await list(names)
        #expect(list.state.sections.map(\.title) == titles)
        let grouped = list.state.sections.flatMap { $0.positions.map { list.state.content.rows[$0].favorite.title } }
        #expect(grouped.sorted() == names.sorted())
    }

    /// stevencohn/OneMore#1304
    @Test(arguments: [404, 410, 451])
    func `a favorite that is gone stays until the person removes it`(status: Int) async throws {
        server.on(.any, response: .json(#"{"message":"Gone"}"#, status: status, headers: .gitHub))
        let all = container(server)
        let repo = GitHub.Repo(id: .init(rawValue: 5), name: "b", fullName: "a/b")
        _ = try await all.favoriteRepository().add(Favorite(repo))
        let list = try await list(["A", "B"], in: all)
        let id = try #require(list.state.content.rows.first { $0.favorite.title == "a/b" }).id
        guard case .gitHub(.repo(let number, let label)) = list.select(id)?.screen else { throw CancellationError() }
        let page = all.repoDetailViewModel()
        await page.show(number, label: label)
        #expect(page.state.title == "a/b" && page.state.content.details == nil)
        let text = try #require(page.state.content.status.message).text
        #expect(!text.isEmpty && !text.contains("spelling"), "\(text)")
        #expect(list.state.content.rows.count == 3)
        await list.toggleFavorite(id)
        try await waitUntil { list.state.content.rows.count == 2 }
    }
}

/// What happens to the favorites file outside of the app: backups, other processes, and damage.
@MainActor
@Suite(.bounded)
struct `Reports about the favorites file` {
    private let folder = TemporaryFolder()
    private var file: URL { folder.file("favorites.sqlite") }

    private func repository(_ folder: TemporaryFolder? = nil) -> SQLiteFavoriteRepository {
        SQLiteFavoriteRepository(folder: (folder ?? self.folder).url)
    }

    private func app(_ number: Int64) -> Favorite {
        Favorite(AppStore.App(id: AppStore.AppID(number), name: "App \(number)"))
    }

    /// The titles of the favorites that a repository has, by default one that opens the file now.
    private func names(_ favorites: SQLiteFavoriteRepository? = nil) async throws -> [String] {
        try await (favorites ?? repository()).page(of: FavoriteQuery(), at: nil).items.map(\.title)
    }

    /// Adds favorites, and closes the file.
    private func fill(_ folder: TemporaryFolder, _ numbers: ClosedRange<Int64> = 1...3) async throws {
        let queue = QueueExecutor("reports", patience: .seconds(60))
        func add() async throws {
            let favorites = SQLiteFavoriteRepository(folder: folder.url, on: queue)
            for number in numbers { _ = try await favorites.add(app(number)) }
        }
        try await add()
        // The repository is released on its queue, and then hands over the closing of the file.
        for _ in 0..<2 { _ = await queue.run {} }
    }

    private func container(_ server: ScriptedServer = ScriptedServer()) -> Container {
        .reports(server) { $0.storageFolder = folder.url }
    }

    /// A folder with copies of files.
    private func copies(_ names: String...) throws -> TemporaryFolder {
        let other = TemporaryFolder()
        try FileManager.default.createDirectory(at: other.url, withIntermediateDirectories: true)
        for name in names { try FileManager.default.copyItem(at: folder.file(name), to: other.file(name)) }
        return other
    }

    /// ryanbr/noop#22, oliexdev/openScale#1289, shaarli/Shaarli#1348
    @Test func `a backup of the one file that a closed app leaves has all, in the order of adding`() async throws {
        try await fill(folder, 1...50)
        let restored = try copies("favorites.sqlite")
        #expect(try await names(repository(restored)) == (1...50).map { "App \($0)" })
        #expect(try await repository(restored).add(app(51)))
    }

    /// tursodatabase/turso#8103
    @Test func `the log of a file that was deleted isn't replayed into a new one`() async throws {
        let running = repository()
        _ = try await running.add(app(1))
        let left = try copies("favorites.sqlite-wal", "favorites.sqlite-shm")
        #expect(try await names(repository(left)) == [])
        #expect(try await repository(left).add(app(2)))
        #expect(try await names(repository(left)) == ["App 2"])
        #expect(!left.names.contains { $0.contains("damaged") })
    }

    /// vavallee/bindery#2337
    @Test func `a backup that is copied over the open file is neither a crash nor a mixture`() async throws {
        let backup = TemporaryFolder()
        try await fill(backup, 1...2)
        try await fill(folder, 1...40)
        let running = repository()
        _ = try await running.add(app(41))
        try Data(contentsOf: backup.file("favorites.sqlite")).write(to: file)
        _ = try? await running.add(app(42))
        _ = try? await running.remove(app(1).id)
        let found = try await names()
        #expect(Set(found).isSubset(of: (1...42).map { "App \($0)" }) && Set(found).count == found.count)
        #expect(try await repository().add(app(43)))
    }

    /// keenlabs/KeenClient-iOS#121, signalapp/Signal-iOS#5813
    @Test(arguments: [true, false])
    func `a damaged file is moved aside, and the list says so`(isImage: Bool) async throws {
        try await fill(folder)
        var bytes = try Data(contentsOf: file)
        bytes.replaceSubrange(0..<100, with: Data(repeating: 0x41, count: 100))
        if isImage { bytes = DrawnImage.png(for: "x", side: 64) }
        try bytes.write(to: file)
        let list = await container().favorites()
        try await waitUntil { list.state.notice != nil }
        #expect(list.state.notice?.text.contains("favorites-damaged-1.sqlite") == true)
        #expect(try Data(contentsOf: folder.file("favorites-damaged-1.sqlite")) == bytes)
        #expect(try await repository().add(app(9)))
    }

    /// couchbase/couchbase-lite-ios#1569
    @Test func `a file that can't be opened yet isn't taken for a damaged one`() async throws {
        try await fill(folder)
        let hidden = folder.file("hidden")
        try FileManager.default.moveItem(at: file, to: hidden)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        let list = await container().favorites()
        if case .failed = list.state.content.status {} else { Issue.record("\(list.state.content.status)") }
        try FileManager.default.removeItem(at: file)
        try FileManager.default.moveItem(at: hidden, to: file)
        await list.retry()
        #expect(list.state.content.rows.count == 3)
        #expect(!folder.names.contains { $0.contains("damaged") })
    }

    /// ish-app/ish#2479, SatyamPandey-07/WorkSphere#102
    @Test func `two processes that toggle favorites at the same time never fail`() async throws {
        let app = app(1)
        let both = [repository(), repository()]
        try await withThrowingTaskGroup { group in
            for favorites in both {
                group.addTask {
                    for _ in 0..<60 {
                        let isFavorite = try await favorites.ids().contains(app.id)
                        _ = try await isFavorite ? favorites.remove(app.id) : favorites.add(app)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await both[0].ids() == both[1].ids())
        // A double click: both add, and both remove.
        async let (one, two) = (both[0].add(app), both[1].add(app))
        _ = try await (one, two)
        #expect(try await names(both[0]) == ["App 1"])
        async let (three, four) = (both[0].remove(app.id), both[1].remove(app.id))
        #expect(try await [three, four].count { $0 } == 1)
    }

    /// realm/realm-swift#3615
    @Test func `a process that ends in the middle of a change stops nobody`() async throws {
        let running = repository()
        _ = try await running.add(app(1))
        var killed: Database? = try Database(file)
        try killed?.run("BEGIN IMMEDIATE")
        try killed?.run("DELETE FROM favorite")
        let next = Task { try await running.add(app(2)) }
        killed = nil
        #expect(try await next.value)
        #expect(try await names(running) == ["App 1", "App 2"])
    }

    /// calebevans/mulder#86
    @Test(arguments: ["a#b", "x?mode=ro", "100%20real", "a b", "한글", "/x", "file:y"])
    func `any name of a folder is that folder`(name: String) async throws {
        let path = folder.url.path(percentEncoded: false) + "/" + name
        let here = URL(filePath: path, directoryHint: .isDirectory)
        #expect(try await SQLiteFavoriteRepository(folder: here).add(app(1)))
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).contains("favorites.sqlite"))
        #expect(folder.names.count == 1)
        #expect(try await names(SQLiteFavoriteRepository(folder: here)) == ["App 1"])
    }

    /// mozilla-mobile/firefox-ios#7558
    @Test func `a list says that it loads while its file is being opened`() async throws {
        try await fill(folder)
        let queue = QueueExecutor("reports", patience: .seconds(600))
        let semaphore = DispatchSemaphore(value: 0)
        queue.handOver { semaphore.wait() }
        let all = Container.reports(ScriptedServer())
        let favorites = SQLiteFavoriteRepository(folder: folder.url, on: queue)
        all.favoriteRepository.override { _ in favorites }
        let list = all.favoriteListViewModel()
        let show = Task { await list.show() }
        try await waitUntil { list.state.content.status == .loading }
        let tap = Task { try await favorites.add(app(4)) }
        #expect(list.state.content.status == .loading)
        semaphore.signal()
        await show.value
        #expect(try await tap.value)
        try await waitUntil { list.state.content.rows.count == 4 }
    }

    /// standardnotes/mobile#18, gnosis/safe-ios-legacy#1106
    @Test func `favorites are there without the session that a backup lacks`() async throws {
        try await fill(folder)
        let server = ScriptedServer()
        server.on(.any, response: .octocat)
        let all = container(server)
        let session = all.gitHubSession()
        await session.start()
        #expect(session.current.user == nil)
        #expect(await all.profile().state.content.details != nil)
        #expect(server.requests.allSatisfy { $0.headers["Authorization"] == nil })
        try await session.signOut()
        #expect(try await names() == ["App 1", "App 2", "App 3"])
    }
}
