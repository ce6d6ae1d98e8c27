import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import Testing
import TestLimits

@Suite(.bounded)
struct SearchDoubleTests {
    let timeout = BrowseError.timedOut(BrowseError.RequestInfo(endpoint: "GET /search/{}"))
    let octocat = GitHub.Login("octocat")
    let text: GitHub.SearchText
    let search: GitHub.RepoSearch

    init() throws {
        text = try GitHub.SearchText("tea")
        search = GitHub.RepoSearch(text: text)
    }

    /// How each call of a double ends.
    private func errors(of repos: RepoRepositoryDouble, _ users: UserRepositoryDouble) async -> [BrowseError?] {
        [
            await failure { () throws(BrowseError) in try await users.search(for: text, at: nil) },
            await failure { () throws(BrowseError) in try await repos.page(of: .own, at: nil) },
            await failure { () throws(BrowseError) in try await repos.search(search, at: nil) },
            await failure { () throws(BrowseError) in try await repos.repo(named: "a", of: octocat) },
        ]
    }

    @Test
    func `A double that was not set up says which closure to set`() async {
        let closures = [
            "UserRepositoryDouble.onSearch", "RepoRepositoryDouble.onPage", "RepoRepositoryDouble.onSearch",
            "RepoRepositoryDouble.onRepo",
        ]
        for (error, closure) in zip(await errors(of: RepoRepositoryDouble(), UserRepositoryDouble()), closures) {
            guard case .rejected(let info) = error, let detail = info.serverMessage else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(detail.contains("\(closure) was called but is not set. Set it: "))
            #expect(info.endpoint == closure)
        }
    }

    @Test
    func `A failing double fails every call`() async {
        let errors = await errors(of: .failing(with: timeout), .failing(with: timeout))
        #expect(errors == [timeout, timeout, timeout, timeout])
    }

    @Test
    @MainActor
    func `A double that never answers ends with canceled when its task is canceled, and not before`() async throws {
        let log = Log()
        let started = ControlledResponses<Void, Void>()
        let task = Task {
            // All on one actor: a call that did not wait would end before the test goes on.
            started.answer(0, with: .success(()))
            let errors = await errors(of: .never, .never)
            log.add("ended")
            return errors
        }
        try await started.response(to: ())
        log.add("cancels")
        task.cancel()
        #expect(await task.value == [.cancelled, .cancelled, .cancelled, .cancelled])
        #expect(log.entries == ["cancels", "ended"])
    }

    @Test
    func `Closures answer with what they are asked for, and can be replaced`() async throws {
        let asked = Log()
        var repos = RepoRepositoryDouble(
            onPage: { list, cursor in
                asked.add("\(list) \(cursor?.rawValue ?? "-")")
                return Page(items: [.numbered(1)])
            },
            onSearch: { search, cursor in
                asked.add("\(search.text) \(cursor?.rawValue ?? "-")")
                return GitHub.SearchPage(page: Page(items: [.numbered(2)]), totalCount: 9)
            },
            onRepo: { name, owner in
                asked.add("\(owner)/\(name)")
                return .numbered(3)
            }
        )
        let cursor = PageCursor(rawValue: "2")
        #expect(try await repos.page(of: .starred, at: cursor).items == [.numbered(1)])
        #expect(try await repos.search(search, at: nil).page.items == [.numbered(2)])
        #expect(try await repos.repo(named: "a", of: octocat) == .numbered(3))
        #expect(asked.entries == ["starred 2", "tea -", "octocat/a"])

        repos.onRepo = { [timeout] _, _ throws(BrowseError) in throw timeout }
        #expect(await failure { () throws(BrowseError) in try await repos.repo(named: "a", of: octocat) } == timeout)

        var users = UserRepositoryDouble(onSearch: { _, cursor in
            GitHub.SearchPage(page: Page(items: [.numbered(cursor == nil ? 1 : 2)]), totalCount: 2)
        })
        #expect(try await users.search(for: text, at: nil).page.items == [.numbered(1)])
        #expect(try await users.search(for: text, at: cursor).page.items == [.numbered(2)])
        users.onSearch = { [timeout] _, _ throws(BrowseError) in throw timeout }
        #expect(await failure { () throws(BrowseError) in try await users.search(for: text, at: nil) } == timeout)
    }

    @Test
    func `Held searches for accounts say what was asked, and go out when the test lets them`() async throws {
        let held = ControlledResponses<UserRepositoryDouble.Request, GitHub.SearchPage<GitHub.User>>()
        let users = UserRepositoryDouble.controlled(by: held)
        let cursor = PageCursor(rawValue: "2")
        async let found = users.search(for: text, at: cursor)
        #expect(await held.waitForRequests(1) == [.search(for: text, at: cursor)])
        held.answer(0, with: .success(GitHub.SearchPage(page: Page(items: [.numbered(4)]), totalCount: 7)))
        #expect(try await found.totalCount == 7)
    }

    @Test
    func `Held lists and searches of code repositories share their responses`() async throws {
        let held = ControlledResponses<RepoRepositoryDouble.Request, GitHub.SearchPage<GitHub.Repo>>()
        let repos = RepoRepositoryDouble.controlled(by: held)
        async let page = repos.page(of: .own, at: nil)
        await held.waitForRequests(1)
        async let found = repos.search(search, at: PageCursor(rawValue: "2"))
        #expect(
            await held.waitForRequests(2) == [.page(of: .own, at: nil), .search(search, at: PageCursor(rawValue: "2"))]
        )
        held.answer(1, with: .success(GitHub.SearchPage(page: Page(items: [.numbered(2)]), totalCount: 7)))
        held.answer(0, with: .success(GitHub.SearchPage(page: Page(items: [.numbered(1)]), totalCount: 0)))
        #expect(try await page.items == [.numbered(1)])
        #expect(try await found.totalCount == 7)
    }
}
