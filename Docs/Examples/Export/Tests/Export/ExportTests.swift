import BrowseData
import BrowseKit
import BrowseMocks
import Export
import Foundation
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct `An export` {
    private let folder = Folder()
    private let list = ItemList(1...35)

    private func export(_ name: String = "items.sqlite", of text: String = "Test: /items") -> ListExport<Item> {
        let url = folder.file(name)
        return ListExport(list.source(text), to: name.hasSuffix("sqlite") ? .sqlite(at: url) : .jsonLines(at: url))
    }

    @Test(arguments: ["items.sqlite", "items.jsonl"])
    func `has all rows in order, for its owner only`(name: String) async throws {
        let counts = Mutex<[Int]>([])
        let end = try await export(name).run { progress in counts.withLock { $0.append(progress.rowCount) } }
        #expect(end.isComplete && end.rowCount == 35 && end.pageCount == 4)
        #expect(counts.withLock { $0 } == [0, 10, 20, 30, 35])
        #expect(try folder.rows(name) == (1...35).map { #"{"id":\#($0),"text":""}"# })
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name).path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try await export(name).run() == end)
        #expect(list.pages == [1, 2, 3, 4])
    }

    @Test func `resumes after a failure, and has the rows until then`() async throws {
        list.state.withLock { $0.failure = { $0 == 3 ? .timedOut(ItemList.info) : nil } }
        await #expect(throws: ExportError.failed(.timedOut(ItemList.info))) { try await export("items.jsonl").run() }
        #expect(try folder.rows("items.jsonl").count == 20)
        list.state.withLock { $0.failure = nil }
        #expect(try await export("items.jsonl").run().rowCount == 35)
        #expect(list.pages == [1, 2, 3, 3, 4])
        #expect(try folder.rows("items.jsonl").count == 35)
    }

    @Test(arguments: ["items.sqlite", "items.jsonl"])
    func `leaves no file if there is nothing to continue`(name: String) async throws {
        list.state.withLock { $0.failure = { $0 == 1 ? .notFound(ItemList.info) : nil } }
        await #expect(throws: ExportError.failed(.notFound(ItemList.info))) { try await export(name).run() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        list.state.withLock { $0.failure = nil }
        #expect(try await export(name, of: "Test: /others").run().rowCount == 35)
    }

    /// vshulcz/deja-vu#808, The-OpenROAD-Project/OpenROAD#5109
    @Test func `leaves nothing behind if its file can't be replaced, and leaves other files alone`() async throws {
        try Data("own".utf8).write(to: folder.file("items.jsonl.new"))
        try await export("items.jsonl").run()
        let file = folder.file("items.jsonl")
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        let failure = BrowseError.storageFailed(StorageFailure(reason: .notWritable, file: "items.jsonl"))
        await #expect(throws: ExportError.failed(failure)) { try await export("items.jsonl").run() }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(files == ["items.jsonl", "items.jsonl.new", "items.jsonl.sqlite"])
        #expect(try String(contentsOf: folder.file("items.jsonl.new"), encoding: .utf8) == "own")
    }

    #if os(Linux)
    /// sqlitebrowser/sqlitebrowser#107, TablePlus/TablePlus#1677
    @Test func `writes lines without having all of them in memory`() async throws {
        // In a process of its own, in which no other test uses memory.
        #expect(try await runProbe(folder.file("large.jsonl")) == 0)
        let growth = try String(contentsOf: folder.file("large.jsonl.log"), encoding: .utf8)
        #expect(try #require(Int(growth)) < 48 << 20)
        let size = try folder.file("large.jsonl").resourceValues(forKeys: [.fileSizeKey]).fileSize
        #expect(try #require(size) > 96 << 20)
    }
    #endif

    @Test func `stops when its task is canceled`() async throws {
        let run = Task { [self] in
            try await export().run { progress in
                if progress.pageCount == 2 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await #expect(throws: ExportError.failed(.cancelled)) { try await run.value }
        #expect(try folder.rows("items.sqlite").count == 20)
    }

    @Test func `stores rows that move once, and finds missed ones in a second pass`() async throws {
        list.state.withLock { state in
            state.failure = { [list] number in
                list.state.withLock { state in
                    // Rows move to the second page, and one of the third page to the second, which was already read.
                    if number == 2 { state.items.insert(Item(id: 0), at: 0) }
                    if number == 3 { state.items.remove(at: 2) }
                }
                return nil
            }
        }
        #expect(try await export().run().rowCount == 34)
        list.state.withLock { state in
            state.failure = nil
            state.items[1].text = "new"
        }
        let end = try await export().run(again: true)
        #expect(end.pass == 2 && end.pageCount == 4 && end.rowCount == 36)
        #expect(try folder.rows("items.sqlite")[0] == #"{"id":1,"text":"new"}"#)
    }

    @Test(arguments: [false, true])
    func `ends if a server ignores the page`(isStopped: Bool) async throws {
        list.state.withLock { $0.ignoresPage = true }
        if isStopped {
            list.state.withLock { $0.failure = { $0 == 30 ? .timedOut(ItemList.info) : nil } }
            await #expect(throws: ExportError.failed(.timedOut(ItemList.info))) { try await export().run() }
            list.state.withLock { $0.failure = nil }
        }
        await #expect(throws: ExportError.repeatsItself(pages: 50)) { try await export().run() }
        #expect(list.pages.count == (isStopped ? 52 : 51))
        // A run after that asks once more, and doesn't call the list complete.
        await #expect(throws: ExportError.repeatsItself(pages: 51)) { try await export().run() }
        await #expect(throws: ExportError.repeatsItself(pages: 50)) { try await export().run(again: true) }
        #expect(try folder.rows("items.sqlite").count == 10)
    }

    @Test func `isn't complete because that of another filter is`() async throws {
        try await export(of: "Test: /issues?state=open").run()
        let error = ExportError.otherList("Test: /issues?state=open", account: nil)
        await #expect(throws: error) { try await export(of: "Test: /issues?state=closed").run() }
    }

    @Test func `resumes after it stopped before the session knew its user, but for no other user`() async throws {
        list.state.withLock { $0.failure = { $0 == 2 ? .timedOut(ItemList.info) : nil } }
        await #expect(throws: ExportError.self) { try await export().run() }
        list.state.withLock { state in
            state.account = "mona"
            state.failure = { $0 == 3 ? .timedOut(ItemList.info) : nil }
        }
        await #expect(throws: ExportError.failed(.timedOut(ItemList.info))) { try await export().run() }
        for other in ["hubot", nil] {
            list.state.withLock { ($0.account, $0.failure) = (other, nil) }
            let error = ExportError.otherList("Test: /items", account: "mona")
            await #expect(throws: error) { try await export().run() }
        }
        #expect(list.pages == [1, 2, 2, 3])
        list.state.withLock { $0.account = "mona" }
        #expect(try await export().run().rowCount == 35)
        list.state.withLock { $0.account = "hubot" }
        await #expect(throws: ExportError.otherList("Test: /items", account: "mona")) { try await export().run() }
    }

    @Test func `sleeps until a rate limit ends`() async throws {
        let clock = TestClock()
        let start = Date(timeIntervalSince1970: 1_000_000)
        let now: @Sendable () -> Date = { start + clock.now.offset / .seconds(1) }
        let limit = BrowseError.RateLimit(kind: .primary, retryAt: start + 600, isServerTime: true)
        list.state.withLock { state in
            state.failure = { $0 == 2 && now() < start + 601 ? .rateLimited(limit, ItemList.info) : nil }
        }
        let waits = Mutex<[Date]>([])
        func export(_ longestWait: Duration) -> ListExport<Item> {
            let file = ExportFile.sqlite(at: folder.file("items.sqlite"))
            return ListExport(list.source(), to: file, longestWait: longestWait, now: now, clock: clock)
        }
        // Refused at once, and after that again at its time.
        await #expect(throws: ExportError.failed(.rateLimited(limit, ItemList.info))) {
            try await clock.run { try await export(.seconds(599)).run() }
        }
        let end = try await clock.run {
            try await export(.seconds(602)).run { progress in
                waits.withLock { $0 += progress.waitsUntil.map { [$0] } ?? [] }
            }
        }
        #expect(end.rowCount == 35 && end.waitsUntil == nil)
        #expect(waits.withLock { $0 } == [start + 600, start + 602])
        #expect(list.pages == [1, 2, 2, 2, 2, 3, 4])
    }

    @Test(arguments: [400, 404, 410, 422])
    func `starts again after the server refused its position`(status: Int) async throws {
        let info = BrowseError.RequestInfo(endpoint: "GET /items", status: status)
        list.state.withLock { $0.failure = { $0 == 3 ? .notFound(info) : nil } }
        await #expect(throws: ExportError.positionRefused(info)) { try await export().run() }
        list.state.withLock { $0.failure = nil }
        #expect(try await export().run(again: true).rowCount == 35)
        #expect(list.pages == [1, 2, 3, 1, 2, 3, 4])
    }

    @Test(arguments: ["items.sqlite", "items.jsonl"])
    func `has its file for itself, and leaves other files alone`(name: String) async throws {
        list.state.withLock { $0.ignoresPage = true }
        let second = Mutex<(any Error)?>(nil)
        let database = name.hasSuffix("sqlite") ? name : name + ".sqlite"
        _ = try? await export(name).run { [self] progress in
            guard progress.pageCount == 1 else { return }
            do { try await export(name).run() } catch { second.withLock { $0 = error } }
        }
        #expect(second.withLock { $0 as? ExportError } == .inUse(name: database))
        for other in ["own.sqlite", "own.jsonl"] {
            if other == "own.sqlite" {
                try folder.sql("CREATE TABLE notes (text)", in: other)
            } else {
                try Data("{}\n".utf8).write(to: folder.file(other))
            }
            let before = try Data(contentsOf: folder.file(other))
            await #expect(throws: ExportError.foreignFile(name: other)) { try await export(other).run() }
            #expect(try Data(contentsOf: folder.file(other)) == before)
        }
        try folder.sql("PRAGMA user_version = 2", in: database)
        await #expect(throws: ExportError.foreignFile(name: database)) { try await export(name).run() }
    }

    @Test func `fails before a request if its folder doesn't exist`() async throws {
        await #expect(throws: ExportError.self) { try await export("nowhere/items.sqlite").run() }
        #expect(list.pages.isEmpty)
    }

    @Test func `takes a link for its folder, but not for its file`() async throws {
        try FileManager.default.createSymbolicLink(at: folder.file("link"), withDestinationURL: folder.url)
        #expect(try await export("link/items.sqlite").run().isComplete)
        let (file, linked) = (folder.file("items.sqlite"), folder.file("linked.sqlite"))
        try FileManager.default.createSymbolicLink(at: linked, withDestinationURL: file)
        await #expect(throws: ExportError.self) { try await export("linked.sqlite").run() }
    }

    /// The first page announces nine; the second one ends without a link, or contradicts itself.
    @Test(arguments: [nil, "last", "prev"])
    func `has a gap if announced pages are missing`(relation: String?) async throws {
        let transport = ClosureTransport { request in
            let number = request.parameter("page").flatMap { Int($0) } ?? 1
            var headers: HTTPHeaders = ["Content-Type": "application/json"]
            let last = "<\(request.url(ofPage: 9))>; rel=\"last\""
            let other = relation == "prev" ? "<\(request.url(ofPage: 1))>; rel=\"prev\"" : nil
            headers["Link"] = relation == "last" ? last : other
            if number == 1 { headers["Link"] = "<\(request.url(ofPage: 2))>; rel=\"next\", \(last)" }
            let body = Data(json(ofAccounts: [number]).utf8)
            return HTTPClient.Response(status: 200, headers: headers, body: body, url: request.url)
        }
        let configuration = Configuration().with { $0.storageFolder = folder.url }
        let container = Container.production(on: transport, configuration: configuration)
        let source = container.exportSource(of: .followers(of: GitHub.Login("mona")))
        let end = try await ListExport(source, to: .sqlite(at: folder.file("users.sqlite"))).run()
        // GitHub's last page has no link to itself: the list was shortened.
        #expect(end.isComplete && end.rowCount == 2 && end.gaps.isEmpty == (relation == "prev"))
    }

    @Test func `has one gap if the service left out rows, such as of organizations with single sign-on`() async throws {
        let source = ExportSource("Test: /partial") { (item: Item) in
            "\(item.id)"
        } page: { cursor throws(BrowseError) in
            let number = cursor?.page ?? 1
            var page = Page(items: [Item(id: number)], next: number < 3 ? PageCursor(page: number + 1) : nil)
            page.isPartial = true
            return page
        }
        let end = try await ListExport(source, to: .sqlite(at: folder.file("partial.sqlite"))).run()
        #expect(end.isComplete && end.rowCount == 3 && end.gaps.map(\.part) == ["Test: /partial"])
    }

    /// Followers on three pages with entity tags, through the whole chain with its cache.
    @Test(arguments: ["same", "another tag", "another origin"])
    func `takes a page from the cache only if the server confirms it`(confirmation: String) async throws {
        let isSecond = Mutex(false)
        let bodies = Mutex(0)
        let transport = ClosureTransport { request in
            let number = request.parameter("page").flatMap { Int($0) } ?? 1
            let isSecond = isSecond.withLock { $0 }
            var headers: HTTPHeaders = ["ETag": "\"\(number)\"", "Content-Type": "application/json"]
            if number < 3 { headers["Link"] = "<\(request.url(ofPage: number + 1))>; rel=\"next\"" }
            var response = HTTPClient.Response(status: 200, headers: headers, url: request.url)
            if request.headers["If-None-Match"] != nil {
                response.status = 304
                if confirmation == "another tag" { response.headers["ETag"] = "\"other\"" }
                if confirmation == "another origin", let url = URL(string: "https://other.example/") {
                    response.url = url
                }
            } else {
                bodies.withLock { $0 += 1 }
                response.body = Data(json(ofAccounts: [isSecond ? number + 10 : number]).utf8)
            }
            return response
        }
        var configuration = Configuration().with { $0.storageFolder = folder.url }
        // No time passes, so no request gives up waiting for the cache.
        configuration.clock = TestClock()
        let container = Container.production(on: transport, configuration: configuration)
        let source = container.exportSource(of: .followers(of: GitHub.Login("Mona")))
        #expect(source.list == "https://api.github.com/users/mona/followers")
        let export = ListExport(source, to: .jsonLines(at: folder.file("users.jsonl")))
        #expect(try await export.run().rowCount == 3)
        isSecond.withLock { $0 = true }
        let end = try await export.run(again: true)
        // A page that isn't confirmed is loaded again, with the rows that it has now.
        #expect(end.rowCount == (confirmation == "same" ? 3 : 6))
        #expect(bodies.withLock { $0 } == (confirmation == "same" ? 3 : 6))
    }

    @Test func `has the repositories of the signed-in user only`() async throws {
        let services = OfflineServices()
        let login = GitHub.Login("octocat")
        var configuration = Configuration()
        configuration.gitHub.token = try services.gitHub.token(for: login)
        let own = Container.offline(services, configuration: configuration)
        let file = ExportFile.sqlite(at: folder.file("repos.sqlite"))
        let end = try await ListExport(own.exportSource(of: .own), to: file).run()
        #expect(end.rowCount > 0 && end.account == "583231")
        let anonymous = Container.offline(services)
        await #expect(throws: ExportError.self) {
            try await ListExport(anonymous.exportSource(of: .own), to: file).run(again: true)
        }
    }
}
