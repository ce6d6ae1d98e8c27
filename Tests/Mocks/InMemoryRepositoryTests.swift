import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import Testing
import TestLimits

@Suite(.bounded)
struct InMemoryRepositoryTests {
    let octocat = GitHub.FollowList.followers(of: GitHub.Login("octocat"))

    @Test
    func `A profile is found whatever the case of its login, and nobody else is`() async throws {
        let users = InMemoryUserRepository(profiles: [.named("Mona"), .named("hubot")])
        #expect(try await users.profile(of: GitHub.Login("mONA")).user.login.rawValue == "Mona")
        let error = await failure { () throws(BrowseError) in try await users.profile(of: GitHub.Login("nobody")) }
        #expect(error == .notFound(BrowseError.RequestInfo(endpoint: "InMemoryUserRepository.profile(of:)")))
    }

    @Test
    func `A list and an account that were not given are not found`() async throws {
        let followers = InMemoryFollowerRepository(lists: [octocat: [.numbered(1)]])
        guard
            case .notFound = await failure({ () throws(BrowseError) in
                try await followers.page(of: .followers(of: GitHub.Login("nobody")), at: nil)
            })
        else {
            Issue.record("nobody was found")
            return
        }
        // Known by another list, or by standing in one.
        for list in [.following(by: GitHub.Login("OctoCat")), .followers(of: GitHub.Login("user1"))]
            as [GitHub.FollowList]
        {
            #expect(try await followers.page(of: list, at: nil) == Page(items: []))
        }
    }

    @Test
    func `A cursor of another list, or of nothing, is refused`() async throws {
        let other = GitHub.FollowList.followers(of: GitHub.Login("mona"))
        let rows = (1...5).map(GitHub.User.numbered)
        let followers = InMemoryFollowerRepository(lists: [octocat: rows, other: rows], pageSize: 2)
        let cursor = try #require(try await followers.page(of: other, at: nil).next)
        for foreign in [cursor, PageCursor(rawValue: ""), PageCursor(rawValue: "-1 of \(octocat)")] {
            let error = await failure { () throws(BrowseError) in try await followers.page(of: octocat, at: foreign) }
            guard case .refused(.foreignPage, _) = error else {
                Issue.record("\(foreign) gave \(String(describing: error))")
                continue
            }
        }
    }

    @Test(arguments: [0, 1, 2, 99, 100, 101, 200, 257], [-1, 1, 3, 100])
    func `All pages together are the list, and only the last has no next`(rows: Int, pageSize: Int) async throws {
        let all = (0..<rows).map(GitHub.User.numbered)
        let followers = InMemoryFollowerRepository(lists: [octocat: all], pageSize: pageSize)
        var pages: [Page<GitHub.User>] = []
        try await followers.pages(of: octocat, from: nil, concurrency: 4) { pages.append($0) }

        let size = max(1, pageSize)
        #expect(pages.flatMap(\.items) == all)
        #expect(pages.count == max(1, (rows + size - 1) / size))
        #expect(pages.dropLast().allSatisfy { $0.items.count == size && $0.next != nil })
        #expect(pages.last?.next == nil)

        // Going on from any page's cursor gives the rest.
        if let second = pages.first?.next {
            var rest: [GitHub.User] = []
            try await followers.pages(of: octocat, from: second, concurrency: 1) { rest += $0.items }
            #expect(rest == Array(all.dropFirst(size)))
        }
    }

    @Test
    func `A canceled task gets nothing but canceled`() async {
        let followers = InMemoryFollowerRepository(lists: [octocat: []])
        let users = InMemoryUserRepository(profiles: [])
        let task = Task { [octocat] in
            await UserRepositoryDouble.never.waitForCancellation()
            return [
                await failure { () throws(BrowseError) in try await followers.page(of: octocat, at: nil) },
                await failure { () throws(BrowseError) in try await users.profile(of: GitHub.Login("mona")) },
            ]
        }
        task.cancel()
        #expect(await task.value == [.cancelled, .cancelled])
    }
}

extension UserRepositoryDouble {
    fileprivate func waitForCancellation() async {
        _ = try? await profile(of: GitHub.Login("anybody"))
    }
}
