import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import Testing
import TestLimits

@Suite(.bounded)
struct RepositoryDoubleTests {
    let octocat = GitHub.FollowList.followers(of: GitHub.Login("octocat"))
    let timeout = BrowseError.timedOut(BrowseError.RequestInfo(endpoint: "GET /users/{}"))

    @Test
    func `A double that was not set up says which closure to set`() async {
        let errors = [
            await failure { () throws(BrowseError) in
                try await UserRepositoryDouble().profile(of: GitHub.Login("mona"))
            },
            await failure { () throws(BrowseError) in
                try await FollowerRepositoryDouble().page(of: octocat, at: nil)
            },
            await failure { () throws(BrowseError) in
                try await FollowerRepositoryDouble().pages(of: octocat, from: nil, concurrency: 4) { _ in }
            },
        ]
        let closures =
            ["UserRepositoryDouble.onProfile"] + [String](repeating: "FollowerRepositoryDouble.onPage", count: 2)
        for (error, closure) in zip(errors, closures) {
            guard case .rejected(let info) = error, let detail = info.serverMessage else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(detail.contains("\(closure) was called but is not set. Set it: "))
            #expect(info.endpoint == closure)
        }
    }

    @Test
    func `Closures answer, and can be replaced`() async throws {
        var users = UserRepositoryDouble(onProfile: { login in .named(login.rawValue) })
        #expect(try await users.profile(of: GitHub.Login("mona")).user.login.rawValue == "mona")
        users.onProfile = { [timeout] _ throws(BrowseError) in throw timeout }
        #expect(await failure { () throws(BrowseError) in try await users.profile(of: GitHub.Login("a")) } == timeout)
    }

    @Test
    func `Pages are asked for one after the other until one has no next`() async throws {
        let followers = FollowerRepositoryDouble(onPage: { _, cursor in
            let number = cursor.flatMap { Int($0.rawValue) } ?? 1
            return Page(items: [.numbered(number)], next: number < 3 ? PageCursor(rawValue: "\(number + 1)") : nil)
        })
        var ids: [Int64] = []
        try await followers.pages(of: octocat, from: nil, concurrency: 9) { ids += $0.items.map(\.id.rawValue) }
        #expect(ids == [1, 2, 3])
    }

    @Test
    func `A failing double fails every call`() async {
        let users = UserRepositoryDouble.failing(with: timeout)
        let followers = FollowerRepositoryDouble.failing(with: timeout)
        #expect(await failure { () throws(BrowseError) in try await users.profile(of: GitHub.Login("a")) } == timeout)
        #expect(await failure { () throws(BrowseError) in try await followers.page(of: octocat, at: nil) } == timeout)
    }

    @Test
    @MainActor
    func `A double that never answers ends with canceled when its task is canceled, and not before`() async throws {
        let log = Log()
        let started = ControlledResponses<Void, Void>()
        let task = Task { [octocat] in
            // All on one actor: a call that did not wait would end before the test goes on.
            started.answer(0, with: .success(()))
            let page = await failure { () throws(BrowseError) in
                try await FollowerRepositoryDouble.never.page(of: octocat, at: nil)
            }
            log.add("ended")
            let profile = await failure { () throws(BrowseError) in
                try await UserRepositoryDouble.never.profile(of: GitHub.Login("mona"))
            }
            return [page, profile]
        }
        try await started.response(to: ())
        log.add("cancels")
        task.cancel()
        #expect(await task.value == [.cancelled, .cancelled])
        #expect(log.entries == ["cancels", "ended"])
    }

    @Test
    func `Held responses say what was asked, and go out when the test lets them`() async throws {
        let held = ControlledResponses<FollowerRepositoryDouble.Request, Page<GitHub.User>>()
        let followers = FollowerRepositoryDouble.controlled(by: held)
        let cursor = PageCursor(rawValue: "2")
        async let page = followers.page(of: octocat, at: cursor)
        #expect(await held.waitForRequests(1) == [.page(of: octocat, at: cursor)])
        held.answer(0, with: .success(Page(items: [.numbered(4)])))
        #expect(try await page.items == [.numbered(4)])
    }
}
