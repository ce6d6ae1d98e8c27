@testable import BrowseGitHubDomain
import Synchronization
import TestLimits
import TestSupport
import Testing

@testable import BrowseDomain

/// A service with a number of results that records the cursors of its requests.
private final class Service: GitHub.UserRepository, GitHub.RepoRepository {
    let count: Int
    let sizes: @Sendable (Int) -> Int
    let skipped: @Sendable (Int) -> Int
    private let requests = Mutex<[PageCursor?]>([])

    /// - Parameters:
    ///   - count: The number of results.
    ///   - sizes: The number of rows of a page.
    ///   - skipped: The number of those rows that can't be read.
    init(count: Int, sizes: @escaping @Sendable (Int) -> Int, skipped: @escaping @Sendable (Int) -> Int = { _ in 0 }) {
        self.count = count
        self.sizes = sizes
        self.skipped = skipped
    }

    var cursors: [PageCursor?] { requests.withLock { $0 } }

    private func page<Row>(at cursor: PageCursor?, row: (Int) -> Row) -> GitHub.SearchPage<Row> {
        let number = requests.withLock { requests in
            requests.append(cursor)
            return requests.count
        }
        let start = cursor.flatMap { Int($0.rawValue.drop { $0 != "=" }.dropFirst()) } ?? 0
        let size = min(sizes(number), count - start)
        let bad = min(skipped(number), size)
        return GitHub.SearchPage(
            page: Page(
                items: (start..<(start + size - bad)).map(row),
                // A cursor with spaces, which must be passed back unchanged.
                next: start + size < count ? PageCursor(rawValue: " next of=\(start + size)") : nil,
                skipped: (0..<bad).reduce(into: []) { $0.append(SkippedRow(index: $1, reason: "bad")) }
            ),
            totalCount: count,
            isIncomplete: number.isMultiple(of: 2)
        )
    }

    func search(
        for text: GitHub.SearchText,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> GitHub.SearchPage<GitHub.User> {
        page(at: cursor) { GitHub.User(id: .init(rawValue: Int64($0)), login: .init("user-\($0)")) }
    }

    func search(
        _ search: GitHub.RepoSearch,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> GitHub.SearchPage<GitHub.Repo> {
        page(at: cursor) { GitHub.Repo(id: .init(rawValue: Int64($0)), name: "\($0)", fullName: "a/\($0)") }
    }

    func profile(of login: GitHub.Login) async throws(BrowseError) -> GitHub.UserProfile { throw .cancelled }
    func ownProfile() async throws(BrowseError) -> GitHub.UserProfile { throw .cancelled }
    func page(of list: GitHub.RepoList, at cursor: PageCursor?) async throws(BrowseError) -> Page<GitHub.Repo> {
        throw .cancelled
    }
    func repo(named name: String, of owner: GitHub.Login) async throws(BrowseError) -> GitHub.Repo { throw .cancelled }
}

@Suite(.bounded) struct `Search limit` {
    private let text: GitHub.SearchText

    init() throws {
        text = try GitHub.SearchText("a")
    }

    /// Returns all pages.
    private func users(_ service: Service) async throws -> [GitHub.SearchPage<GitHub.User>] {
        let search = GitHub.SearchUsers(repository: service)
        var pages = [try await search(matching: text, at: nil)]
        while let next = pages.last?.page.next, pages.count < 2000 {
            pages.append(try await search(matching: text, at: next))
        }
        return pages
    }

    private func repos(_ service: Service) async throws -> [GitHub.SearchPage<GitHub.Repo>] {
        let search = GitHub.SearchRepos(repository: service)
        var pages = [try await search(.init(text: text), at: nil)]
        while let next = pages.last?.page.next, pages.count < 2000 {
            pages.append(try await search(.init(text: text), at: next))
        }
        return pages
    }

    @Test(arguments: [
        // Results, page size, pages
        (1250, 100, 10), (1000, 100, 10), (1001, 100, 10), (999, 100, 10), (900, 100, 9), (901, 100, 10), (0, 100, 1),
        (5000, 30, 34), (1000, 30, 34), (990, 30, 33), (991, 30, 34), (5000, 1, 1000), (5000, 999, 2), (5000, 1000, 1),
    ])
    func `ends at GitHub's limit`(count: Int, size: Int, pages: Int) async throws {
        let service = Service(count: count) { _ in size }
        let found = try await users(service)
        #expect(found.count == pages)
        #expect(service.cursors.count == pages)
        #expect(found.allSatisfy { $0.totalCount == count })
        #expect(found.map(\.isIncomplete) == (1...pages).map { $0.isMultiple(of: 2) })
        #expect(found.flatMap(\.page.items).map(\.id.rawValue) == (0..<min(count, pages * size)).map(Int64.init))
        #expect(try await repos(Service(count: count) { _ in size }).count == pages)
    }

    @Test func `passes the repository's own cursors back unchanged`() async throws {
        let service = Service(count: 350) { _ in 100 }
        _ = try await users(service)
        #expect(service.cursors.map(\.?.rawValue) == [nil, " next of=100", " next of=200", " next of=300"])
        let other = Service(count: 350) { _ in 100 }
        _ = try await repos(other)
        #expect(other.cursors == service.cursors)
    }

    @Test func `counts rows that couldn't be read`() async throws {
        let found = try await users(
            Service(count: 5000) { _ in
                100
            } skipped: { _ in
                99
            }
        )
        #expect(found.count == 10)
        #expect(found.map(\.page.skipped.count) == [Int](repeating: 99, count: 10))
    }

    @Test(arguments: [
        "", " ", "x", "x y", "-1 x", "-1", "1000 x", "1001 x", "9223372036854775807 x", "99999999999999999999 x",
        "1.5 x", " 5 x",
        "https://api.github.com/search/users?q=a&page=2", "٣ x", "5\u{A0}x", "5",
    ])
    func `passes foreign cursors to the repository`(text: String) async throws {
        let cursor = PageCursor(rawValue: text)
        #expect(SearchProgress(cursor).cursor == cursor)
        let service = Service(count: 10) { _ in 10 }
        _ = try await GitHub.SearchUsers(repository: service)(matching: self.text, at: cursor)
        #expect(service.cursors == [cursor])
    }

    @Test(arguments: [
        "", " ", "x", "5 x", "\u{301}", "\u{200D}👩", "\n", "\r\n", "한글 = x", "12 https://a.example/?b=c d",
    ])
    func `preserves any cursor of a repository`(text: String) {
        let found = GitHub.SearchPage(page: Page(items: [1, 2, 3], next: PageCursor(rawValue: text)), totalCount: 9)
        let first = SearchProgress(nil).page(found)
        let second = SearchProgress(first.page.next)
        #expect(second.cursor?.rawValue.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
        // The new count is three more.
        #expect(second.page(found).page.next?.rawValue.hasPrefix("6") == true)
    }
}
