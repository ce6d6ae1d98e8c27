import BrowseData
import BrowseDomain
import BrowseKit
import BrowseMocks
import Foundation
import Testing
import TestLimits

/// Compiles and runs the samples of the article about large lists.
@MainActor
@Suite(.bounded) struct `The samples about sweeps` {
    private let container = Container.offline()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "sweep-\(UUID().uuidString)")

    @Test func `export a list`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let login = GitHub.Login("octocat")
        let file = SweepFile<GitHub.User>.sqlite(at: folder.appending(path: "followers.sqlite"))
        let sweep = container.sweep(container.sweepSource(of: .followers(of: login)), into: file)
        do throws(SweepError) {
            try await sweep.run { progress in
                let percent = Int((progress.fraction ?? 0) * 100)
                print("\(percent)%", progress.rowCount, progress.expectedEnd ?? .distantFuture)
            }
        } catch .cursorRefused {
            // The list has changed so much that the server no longer knows the position.
            try await sweep.run(again: true)
        } catch {
            print(container.texts().message(for: error).text)
        }
        #expect(try await sweep.run().rowCount == 257)
        try await sweep.run(again: true)
        #expect(try await sweep.run().rowCount == 257)
    }

    @Test func `print the number of rows`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let login = GitHub.Login("octocat")
        let file = SweepFile<GitHub.User>.jsonLines(at: folder.appending(path: "followers.jsonl"))
        let sweep = container.sweep(container.sweepSource(of: .followers(of: login)), into: file)
        for try await progress in sweep.updates() { print(progress.rowCount) }
    }

    @Test func `search beyond 1,000 results`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let users = SweepFile<GitHub.User>.jsonLines(at: folder.appending(path: "users.jsonl"))
        let text = try GitHub.SearchText("language:swift")
        let search = container.sweep(container.sweepSource(matching: text), into: users)
        let cost = try await search.estimate()
        print(cost.totalCount ?? 0, "results,", cost.remainingRequests ?? 0, "searches")
        let end = try await search.run()
        for gap in end.gaps { print(gap.part, gap.missingCount.map(String.init) ?? "some") }
        #expect(end.isComplete)
    }

    @Test func `sweep a service of one's own`() async throws {
        let client = HTTPClient(
            service: .json(baseURL: try #require(URL(string: "https://books.example")), userAgent: "Tests"),
            transport: ScriptedServer().transport()
        )
        let source = client.sweepSource(of: "Books", id: { (title: String) in title }) { cursor throws(BrowseError) in
            .titles(page: cursor?.page ?? 1)
        } page: { (page: Page<String>, _) in
            SweepPage(page)
        }
        #expect(source.list == "Books: https://books.example/titles?page=1")
    }
}

extension Endpoint<Page<String>> {
    fileprivate static func titles(page: Int) -> Self {
        .json(.path("/titles"), query: [QueryItem("page", String(page))]) { (titles: [String], _) in
            Page(items: titles, next: titles.isEmpty ? nil : PageCursor(page: page + 1))
        }
    }
}
