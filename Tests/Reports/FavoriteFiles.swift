import BrowseKit
import BrowseMocks
import Dispatch
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

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

    private var hasDamage: Bool { folder.names.contains { $0.contains("damaged") } }

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
        #expect(list.state.content.rows.count == 3 && !hasDamage)
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
