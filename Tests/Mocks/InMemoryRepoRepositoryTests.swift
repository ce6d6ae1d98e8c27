import BrowseDomain
import BrowseGitHubDomain
import Foundation
import Testing

import BrowseMocks
import TestLimits

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

    @Test(arguments: [-1, 1, 2, 3, 100])
    func `A search has pages, and their cursors are good for that search only`(pageSize: Int) async throws {
        let repos = InMemoryRepoRepository(repos: rows, pageSize: pageSize)
        let search = GitHub.RepoSearch(text: try GitHub.SearchText("tea"), sort: .stars)
        var cursor: PageCursor?
        var found: [Int64] = []
        repeat {
            let page = try await repos.search(search, at: cursor)
            #expect(page.totalCount == 3)
            #expect(page.page.items.count <= max(1, pageSize))
            found += ids(page.page)
            cursor = page.page.next
            guard let next = cursor else { continue }
            for other in [
                GitHub.RepoSearch(text: search.text, sort: .forks),
                .init(text: search.text, sort: .stars, order: .ascending),
                .init(text: try GitHub.SearchText("teapot"), sort: .stars),
            ] {
                let error = await failure { () throws(BrowseError) in try await repos.search(other, at: next) }
                guard case .refused(.foreignPage, _) = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
            }
        } while cursor != nil
        #expect(found == [3, 1, 2])
    }

    @Test
    func `A cursor of a list is good for the same account whatever its case`() async throws {
        let repos = InMemoryRepoRepository(repos: rows, pageSize: 1)
        let next = try #require(try await repos.page(of: .publicRepos(of: .init("octocat")), at: nil).next)
        #expect(try await ids(repos.page(of: .publicRepos(of: .init("OctoCat")), at: next)) == [2])
        for list in [.publicRepos(of: .init("mona")), .own, .starred] as [GitHub.RepoList] {
            let error = await failure { () throws(BrowseError) in try await repos.page(of: list, at: next) }
            guard case .refused(.foreignPage, _) = error else {
                Issue.record("\(list): \(String(describing: error))")
                continue
            }
        }
    }

    @Test
    func `One code repository is found whatever the case, among one's own too`() async throws {
        let repos = InMemoryRepoRepository(repos: [rows[0]], own: [rows[3]])
        #expect(try await repos.repo(named: "TEA", of: .init("octoCAT")).id.rawValue == 1)
        #expect(try await repos.repo(named: "secret-tea", of: .init("octocat")).id.rawValue == 4)
        for (name, owner) in [("tea", "mona"), ("te", "octocat"), ("", "octocat"), ("octocat/tea", "")] {
            let error = await failure { () throws(BrowseError) in try await repos.repo(named: name, of: .init(owner)) }
            #expect(error == .notFound(.init(endpoint: "InMemoryRepoRepository.repo(named:of:)")))
        }
    }

    @Test
    func `A canceled task gets nothing but canceled`() async throws {
        let repos = InMemoryRepoRepository(repos: rows, own: rows)
        let users = InMemoryUserRepository(profiles: [.named("mona")])
        let text = try GitHub.SearchText("mona")
        let task = Task {
            _ = await failure { () throws(BrowseError) in try await RepoRepositoryDouble.never.page(of: .own, at: nil) }
            return [
                await failure { () throws(BrowseError) in try await repos.page(of: .own, at: nil) },
                await failure { () throws(BrowseError) in try await repos.search(.init(text: text), at: nil) },
                await failure { () throws(BrowseError) in try await repos.repo(named: "tea", of: .init("mona")) },
                await failure { () throws(BrowseError) in try await users.search(for: text, at: nil) },
            ]
        }
        task.cancel()
        #expect(await task.value == [.cancelled, .cancelled, .cancelled, .cancelled])
    }

    // MARK: - Accounts

    @Test
    func `Accounts are found by a part of the login in any case, in the order in which they were given`() async throws {
        let users = InMemoryUserRepository(
            profiles: ["Mona", "hubot", "desdemona", "MONALISA"].map { .named($0) },
            pageSize: 2
        )
        let text = try GitHub.SearchText("mOna")
        let first = try await users.search(for: text, at: nil)
        #expect(first.page.items.map(\.login.rawValue) == ["Mona", "desdemona"])
        #expect(first.totalCount == 3)
        let second = try await users.search(for: text, at: first.page.next)
        #expect(second.page.items.map(\.login.rawValue) == ["MONALISA"])
        #expect(second.page.next == nil)
        #expect(second.totalCount == 3)
        let other = try GitHub.SearchText("o")
        let error = await failure { () throws(BrowseError) in try await users.search(for: other, at: first.page.next) }
        #expect(error == .refused(.foreignPage, .init(endpoint: "InMemoryUserRepository.search(for:at:)")))
        #expect(try await users.search(for: GitHub.SearchText("x"), at: nil).page == Page(items: [], totalCount: 0))
    }

    @Test
    func `Somebody who was given twice is found once`() async throws {
        let users = InMemoryUserRepository(profiles: [.named("mona"), .named("hubot"), .named("Mona")])
        let found = try await users.search(for: GitHub.SearchText("o"), at: nil)
        #expect(found.page.items.map(\.login.rawValue) == ["Mona", "hubot"])
        #expect(try await users.profile(of: .init("mona")).user == found.page.items.first)
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
