import BrowseDomain
import BrowseGitHubDomain
import Foundation
import TestLimits
import Testing

import BrowseMocks

@Suite(.bounded)
struct InMemoryRepoRepositoryTests {
    private static func repo(
        _ id: Int64,
        _ fullName: String,
        stars: Int? = nil,
        forks: Int? = nil,
        updated: TimeInterval? = nil,
        isPrivate: Bool = false
    ) -> GitHub.Repo {
        let parts = fullName.split(separator: "/").map(String.init)
        return GitHub.Repo(
            id: .init(rawValue: id),
            name: parts[1],
            fullName: fullName,
            owner: GitHub.User(id: .init(rawValue: 1), login: .init(parts[0])),
            starCount: stars,
            forkCount: forks,
            isPrivate: isPrivate,
            updatedAt: updated.map(Date.init(timeIntervalSince1970:))
        )
    }

    private let rows = [
        repo(1, "Octocat/tea", stars: 5, forks: 1, updated: 30),
        repo(2, "octocat/Teapot", stars: nil, forks: 9, updated: nil),
        repo(3, "mona/tea", stars: 50, forks: nil, updated: 10),
        repo(4, "octocat/secret-tea", stars: 99, isPrivate: true),
        repo(5, "hubot/only-private", isPrivate: true),
        repo(6, "mona/coffee", stars: 7, forks: 2, updated: 20),
    ]

    private func ids(_ page: Page<GitHub.Repo>) -> [Int64] { page.items.map(\.id.rawValue) }

    @Test
    func `The list of an account is what of its rows everybody may see`() async throws {
        let repos = InMemoryRepoRepository(repos: rows)
        #expect(try await ids(repos.page(of: .publicRepos(of: .init("OCTOCAT")), at: nil)) == [1, 2])
        #expect(try await ids(repos.page(of: .publicRepos(of: .init("hubot")), at: nil)) == [])
        guard
            case .notFound(let info) = await failure({ () throws(BrowseError) in
                try await repos.page(of: .publicRepos(of: .init("nobody")), at: nil)
            })
        else {
            Issue.record("nobody was found")
            return
        }
        #expect(info.endpoint == "InMemoryRepoRepository.page(of:at:)")
    }

    @Test
    func `One's own lists are given as they are`() async throws {
        let repos = InMemoryRepoRepository(repos: rows, own: [rows[3], rows[0]], starred: [rows[5]])
        #expect(try await ids(repos.page(of: .own, at: nil)) == [4, 1])
        #expect(try await ids(repos.page(of: .starred, at: nil)) == [6])
        #expect(try await InMemoryRepoRepository().page(of: .own, at: nil) == Page(items: []))
    }

    @Test(
        arguments: [
            (.bestMatch, .descending, [1, 2, 3]), (.bestMatch, .ascending, [1, 2, 3]),
            (.helpWantedIssues, .descending, [1, 2, 3]), (.stars, .descending, [3, 1, 2]),
            (.stars, .ascending, [2, 1, 3]),
            (.forks, .descending, [2, 1, 3]), (.forks, .ascending, [3, 1, 2]), (.updated, .descending, [1, 3, 2]),
            (.updated, .ascending, [2, 3, 1]),
        ] as [(GitHub.RepoSearch.Sort, GitHub.RepoSearch.Order, [Int64])]
    )
    func `A search finds a part of the full name, in the order that it wants`(
        sort: GitHub.RepoSearch.Sort,
        order: GitHub.RepoSearch.Order,
        expected: [Int64]
    ) async throws {
        let repos = InMemoryRepoRepository(repos: rows)
        let found = try await repos.search(.init(text: .init("TEA"), sort: sort, order: order), at: nil)
        #expect(ids(found.page) == expected)
        #expect(found.totalCount == 3)
        #expect(!found.isIncomplete)
        let all = try await repos.search(.init(text: .init("octocat/"), sort: sort, order: order), at: nil)
        #expect(Set(ids(all.page)) == [1, 2])
    }

    // MARK: - Pages

    @Test(arguments: [0, 1, 2, 5, 6, 7], [Int.min, 0, 1, 2, 3, 6, Int.max])
    func `Rows are cut into pages without losing one`(count: Int, size: Int) throws {
        let pages = RowPages(Array(0..<count), of: "x", size: size, endpoint: "test")
        var cursor: PageCursor?
        var rows: [Int] = []
        var lengths: [Int] = []
        repeat {
            let page = try pages.page(at: cursor)
            rows += page.items
            lengths.append(page.items.count)
            cursor = page.next
        } while cursor != nil
        #expect(rows == Array(0..<count))
        #expect(lengths.dropLast().allSatisfy { $0 == max(1, size) })
        #expect(count == 0 ? lengths == [0] : lengths.allSatisfy { $0 > 0 })
    }

    @Test(arguments: [
        "", " ", "2", "2 of y", "2 of ", "3 of x", "-1 of x", "02 of x", "+2 of x", " 2 of x",
        "99999999999999999999 of x",
    ])
    func `A cursor that no page gave is refused`(text: String) {
        let pages = RowPages([0, 1, 2], of: "x", size: 1, endpoint: "test")
        #expect(throws: BrowseError.refused(.foreignPage, .init(endpoint: "test"))) {
            try pages.page(at: PageCursor(rawValue: text))
        }
        #expect(throws: Never.self) { try pages.page(at: PageCursor(rawValue: "2 of x")) }
    }
}
