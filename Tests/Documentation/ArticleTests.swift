import BrowseData
import BrowseKit
import BrowseMocks
import BrowseTesting
import Foundation
import Observation
import TestLimits
import Testing

/// Compiles and runs the samples of the articles.
@MainActor
@Suite(.bounded) struct `The samples of the articles` {
    let services = OfflineServices()
    let container: Container

    init() {
        container = Container.offline(services)
    }

    @Test func `load and show a list`() async {
        let followers = container.followerListViewModel()
        await followers.show(.followers(of: GitHub.Login("octocat")))
        for row in followers.state.content.rows { print(row.login) }
        if let message = followers.state.content.status.message { print(message.title, message.text) }
        #expect(followers.state.content.status == .ready)
    }

    @Test func `print the parts of a list`() async {
        let followers = container.followerListViewModel()
        await followers.show(.followers(of: GitHub.Login("octocat")))
        let content = followers.state.content
        if let header = content.layout.header { print(header.text) }
        for row in content.rows { print(row.login) }
        switch content.layout.placeholder ?? content.layout.footer {
        case .spinner?: print("…")
        case .message(let message)?: print(message.title, message.text)
        case .more?: print(container.texts()(.more))
        case nil: break
        }
        #expect(content.layout.footer == .more)
    }

    @Test func `load all pages, which ends after a failure`() async {
        let followers = container.followerListViewModel()
        await followers.show(.followers(of: GitHub.Login("octocat")))
        services.gitHub.scenario = .serverError
        await load(followers)
        guard case .failedMore = followers.state.content.status else {
            Issue.record("\(followers.state.content.status)")
            return
        }
        #expect(followers.state.content.hasMore)

        services.gitHub.scenario = .normal
        await followers.retry()
        await load(followers)
        #expect(followers.state.content.status == .ready)
        #expect(!followers.state.content.hasMore)
    }

    private func load(_ followers: FollowerListViewModel) async {
        if let failure = await followers.loadAll(upTo: 1_000) { print(failure.text) }
    }

    @Test func `follow the route of a row`() async throws {
        let followers = container.followerListViewModel()
        await followers.show(.followers(of: GitHub.Login("octocat")))
        let row = try #require(followers.state.content.rows.first)
        let profile = container.userProfileViewModel()
        if case .gitHub(.account(let id, let login)) = row.route?.screen { await profile.show(id, label: login) }
        #expect(profile.state.content.details != nil)
    }

    @Test func `load more rows`() async throws {
        let followers = container.followerListViewModel()
        await followers.show(.followers(of: GitHub.Login("octocat")))
        let count = followers.state.content.rows.count
        let lastRow = try #require(followers.state.content.rows.last)
        await followers.rowAppeared(lastRow.id)
        #expect(followers.state.content.rows.count > count)

        await followers.loadAll()
        followers.filter = "an"
        #expect(!followers.state.content.hasMore)
    }

    @Test func `apply only the changes`() async throws {
        let followers = container.followerListViewModel()
        let table = Table()
        let updates = Task {
            var shown = Rows<UserRow>()
            for await state in followers.states {
                let rows = state.content.rows
                switch rows.change(since: shown) {
                case .none: break
                case .reset: table.reload(rows)
                case .update(let update):
                    table.delete(update.removed)
                    table.insert(update.inserted + update.appended, from: rows)
                    table.reload(update.updated, from: rows)
                }
                shown = rows
            }
        }
        await followers.show(.followers(of: GitHub.Login("octocat")))
        await followers.loadMore()
        try await waitUntil { table.rows.map(\.id) == followers.state.content.rows.map(\.id) }
        updates.cancel()
        #expect(table.rows.count > 100)
    }

    @MainActor @Observable
    final class Table {
        var rows: [UserRow] = []

        func reload(_ rows: Rows<UserRow>) { self.rows = Array(rows) }
        func delete(_ positions: some Sequence<Int>) {
            for position in positions.sorted().reversed() { rows.remove(at: position) }
        }
        func insert(_ positions: some Sequence<Int>, from new: Rows<UserRow>) {
            for position in positions.sorted() { rows.insert(new[position], at: position) }
        }
        func reload(_ positions: some Sequence<Int>, from new: Rows<UserRow>) {
            for position in positions { rows[position] = new[position] }
        }
    }

    @Test func `search while typing`() async {
        let search = container.repoSearchViewModel()
        search.query.text = "swift"
        search.query.sort = .stars
        await search.submit()
        print(search.state.summary ?? "", search.state.hint ?? "")
        #expect(search.state.content.status == .ready)
    }

    @Test func `star a repository on all screens`() async throws {
        let token = try services.gitHub.token(for: GitHub.Login("haneul-kim"))
        let container = Container.offline(services, configuration: Configuration().with { $0.gitHub.token = token })
        await container.gitHubSession().start()
        let search = container.repoSearchViewModel()
        search.query.text = "swift"
        await search.submit()
        let repo = try #require(search.state.content.rows.first)
        var opened: [Route] = []
        let open: (Route) -> Void = { opened.append($0) }
        if let route = await search.toggleStar(repo.id) { open(route) }
        #expect(search.state.content.rows.first?.isStarred != repo.isStarred && opened.isEmpty)
        try await container.gitHubSession().signOut()
        // The row shows the star until the list has received the end of the session.
        try await waitUntil { search.state.content.rows.first?.isStarred == false }
        if let route = await search.toggleStar(repo.id) { open(route) }
        #expect(opened == [.signIn])
    }

    @Test func `sign in with a token of the mocks`() async throws {
        let signIn = container.gitHubSignInViewModel()
        await signIn.signIn(withToken: try services.gitHub.token(for: GitHub.Login("haneul-kim")))
        let user = try #require(container.gitHubSession().current.user)
        #expect(signIn.state == .signedIn(user) && user.login == GitHub.Login("haneul-kim"))
        await signIn.signIn(withToken: "gho_unknown")
        #expect(signIn.state.message?.kind == .signInFailed)
    }

    @Test func `sign in without a browser`() async throws {
        let signIn = container.gitHubSignInViewModel()
        guard case .webPage(let page)? = signIn.signInByBrowser(), let url = page.url else {
            Issue.record("\(signIn.state)")
            return
        }
        let callback = try services.gitHub.agree(on: url, as: GitHub.Login("haneul-kim"))
        await signIn.finishSignIn(with: callback)
        guard case .signedIn(let user) = signIn.state else { throw BrowseError.cancelled }
        #expect(user.login == GitHub.Login("haneul-kim"))
    }

    @Test func `decline a sign-in in a browser`() async throws {
        let signIn = container.gitHubSignInViewModel()
        guard case .webPage(let page) = signIn.signInByBrowser(), let url = page.url else {
            throw BrowseError.cancelled
        }
        await signIn.finishSignIn(with: try services.gitHub.deny(on: url))
        #expect(signIn.state.message?.error == .signInFailed(.denied))
    }

    @Test func `deny a sign-in by code`() async throws {
        let configuration = Configuration().with { $0.clock = ImmediateClock() }
        let signIn = Container.offline(services, configuration: configuration).gitHubSignInViewModel()
        let denied = ScriptedServer.Response.json(#"{"error": "access_denied"}"#)
        services.gitHub.script.on(.post, "/login/oauth/access_token", response: denied)
        await signIn.signInByCode()
        guard case .failed(let message) = signIn.state else { throw BrowseError.cancelled }
        #expect(message.error == .signInFailed(.denied))
    }

    @Test func `choose the account that signs in`() async throws {
        try services.gitHub.setSignInAccount(GitHub.Login("haneul-kim"))
        let configuration = Configuration().with { $0.clock = ImmediateClock() }
        let signIn = Container.offline(services, configuration: configuration).gitHubSignInViewModel()
        await signIn.signInByCode()
        guard case .signedIn(let user) = signIn.state else { throw BrowseError.cancelled }
        #expect(user.login == GitHub.Login("haneul-kim"))
    }

    @Test func `try again when a limit has ended`() async throws {
        let clock = TestClock()
        let now = clock.now(from: Date(timeIntervalSince1970: 1_000_000_000))
        let services = OfflineServices(scenario: .rateLimited(until: now() + 60), clock: clock, now: now)
        let configuration = Configuration().with { ($0.clock, $0.now) = (clock, now) }
        let model = Container.offline(services, configuration: configuration).userProfileViewModel()
        await model.show(GitHub.Login("octocat"))
        #expect(model.state.content.details == nil)
        services.setScenario(.normal)
        // The person asks, and so does the client: the service's later word ends the limit.
        await model.retry()
        #expect(model.state.content.details != nil)
    }

    @Test func `sign out`() async throws {
        let token = try services.gitHub.token(for: GitHub.Login("haneul-kim"))
        let container = Container.offline(services, configuration: Configuration().with { $0.gitHub.token = token })
        let account = container.gitHubAccountViewModel()
        await account.show()
        await account.signOut()
        if let notice = account.state.notice { print(notice.text) }
        #expect(container.gitHubSession().current == .signedOut(.requested))
    }

    @Test func `show the current session`() async {
        let container = container
        let session = container.gitHubSession()
        await session.start()
        switch session.current {
        case .restoring, .signingIn: print("…")
        case .signedOut(let reason): print(container.texts().about(.gitHub).message(for: reason).text)
        case .unidentified(let error): print(container.texts().about(.gitHub).message(for: error).text)
        case .identified(let user), .ready(let user): print(user.login)
        }
    }

    @Test func `sign in by code`() async {
        let configuration = Configuration().with { $0.clock = ImmediateClock() }
        let container = Container.offline(services, configuration: configuration)
        let signIn = container.gitHubSignInViewModel()
        let prompting = Task {
            for await case .waitingForCode(let prompt) in signIn.states { print(prompt.problem?.text ?? prompt.text) }
        }
        await signIn.signInByCode()
        prompting.cancel()
        if case .signedIn(let user) = signIn.state { print(user.login) }
        if let message = signIn.state.message { print(message.title, message.text) }
        guard case .signedIn = signIn.state else {
            Issue.record("\(signIn.state)")
            return
        }
    }

    @Test func `sign in in a browser, ignoring other URLs`() async throws {
        let signIn = container.gitHubSignInViewModel()
        let other = try #require(URL(string: "https://example.com/elsewhere"))
        var opened: [WebAddress] = []
        let open: (WebAddress) -> Void = { opened.append($0) }
        let (callbacks, continuation) = AsyncStream.makeStream(of: URL.self)
        continuation.yield(other)
        continuation.finish()
        if case .webPage(let page)? = signIn.signInByBrowser() {
            open(page)
            for await callback in callbacks {
                if await signIn.finishSignIn(with: callback) { break }
            }
        }
        if let message = signIn.state.message { print(message.title, message.text) }
        #expect(opened.map { .waitingForBrowser($0) } == [signIn.state])
    }

    @Test func `sign in in a browser without a redirect`() async {
        let configuration = Configuration().with { $0.gitHub.app = OAuthApp.gitHub(clientID: "Iv1.example") }
        let signIn = Container.offline(services, configuration: configuration).gitHubSignInViewModel()
        #expect(signIn.signInByBrowser() == nil)
        guard case .failed = signIn.state else {
            Issue.record("\(signIn.state)")
            return
        }
    }

    @Test func `show a notice`() async {
        let full = BrowseError.storageFailed(StorageFailure(reason: .full, file: "favorites.sqlite"))
        var favorites = InMemoryFavoriteRepository()
        favorites.onCall = { call throws(BrowseError) in
            if case .add = call { throw full }
            return nil
        }
        container.favoriteRepository.override { [favorites] _ in favorites }
        let open: (Route) -> Void = { print($0) }
        let ask: (String) -> String = { _ in "" }
        let followers = container.followerListViewModel()
        await followers.show(.followers(of: GitHub.Login("octocat")))
        await followers.toggleFavorite(followers.state.content.rows[0].id)
        #expect(followers.state.notice?.kind == .storage)
        if let notice = followers.state.notice {
            print(notice.title, notice.text)
            if let action = notice.action, let title = notice.actionTitle, ask("\(title)? [y]") == "y" {
                if let route = await followers.perform(action) { open(route) }
            }
        }
        followers.dismissNotice()
        #expect(followers.state.notice == nil)
    }

    #if os(Linux)
    /// Stands in for SwiftUI's function of this name.
    private func withAnimation<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }

    @Test func `change a favorite in the same frame`() async {
        let model = container.followerListViewModel()
        await model.show(.followers(of: GitHub.Login("octocat")))
        let row = model.state.content.rows[0]
        if #available(iOS 26, macOS 26, *) {
            withAnimation { _ = Task.immediate { await model.toggleFavorite(row.id) } }
        } else {
            Task { await model.toggleFavorite(row.id) }
        }
        #expect(model.state.content.rows[0].isFavorite)
    }
    #endif

    @Test func `log an error`() async {
        services.gitHub.scenario = .serverError
        let model = container.userProfileViewModel()
        await model.show(GitHub.Login("octocat"))
        var lines: [String] = []
        func log(_ line: String) { lines.append(line) }
        if let message = model.state.content.status.message {
            if let error = message.error { log("\(error)") }
        }
        #expect(lines.count == 1 && lines[0].contains("/users/"))
    }

    @Test func `group favorites`() async throws {
        let user = try await container.userRepository().profile(of: GitHub.Login("octocat")).user
        let favorites = container.favoriteRepository()
        _ = try await favorites.add(Favorite(user))

        let list = container.favoriteListViewModel()
        list.query = FavoriteQuery(kinds: [.user, .repo], filter: "octo", order: .name)
        await list.show()
        for group in list.state.sections {
            print(group.title, group.positions.map { list.state.content.rows[$0].favorite.title })
        }
        #expect(list.state.content.rows.count == 1)
    }

    @Test func `choose where data comes from`() async throws {
        let container = Container.offline(
            services,
            configuration: Configuration().with { $0.loadPolicy = .freshElseCached }
        )
        var options = LoadOptions()
        options.source = .networkElseCache
        let profile = try await options.load { () throws(BrowseError) in
            try await container.userRepository().profile(of: GitHub.Login("octocat"))
        }
        switch profile.provenance {
        case .fresh, .revalidated: print("current")
        case .stale(let date), .offline(let date): print("from", date)
        case .saved: print("a saved copy")
        }
        #expect(profile.provenance == .fresh)
    }

    @Test func `show rate limits`() async throws {
        services.gitHub.scenario = .rateLimited(until: Date(timeIntervalSinceNow: 600))
        let profile = container.userProfileViewModel()
        await profile.show(GitHub.Login("octocat"))
        if case .failed(let message) = profile.state.content.status { print(message.text, message.actionTitle ?? "") }
        #expect(profile.state.content.details == nil)

        services.gitHub.scenario = .normal
        for status in try await container.gitHubRateLimits().refresh() {
            print(status.bucket, status.remaining, status.limit, status.resetsAt)
        }
    }

    @Test func `show and prefetch images`() async throws {
        let followers = container.followerListViewModel()
        await followers.show(.followers(of: GitHub.Login("octocat")))
        let rows = followers.state.content.rows
        let image = container.remoteImageViewModel()
        await image.showIfNeeded(rows.first?.avatar.map { ImageRequest($0, side: 80) })
        if case .loaded(let encoded) = image.state { print(encoded.format, encoded.data.count) }

        await image.reload()

        let signed = WebAddress(rawValue: "https://images.example/1?signature=1")
        let photo = ImageRequest(signed, side: 400, cacheKey: "photos/1")
        #expect(photo.cacheKey == "photos/1")

        let prefetcher = container.imagePrefetcher()
        prefetcher.prefetch(rows.images(around: 0..<10, side: 80))
        guard case .loaded = image.state else {
            Issue.record("\(image.state)")
            return
        }
    }

    @Test func `handle errors`() async throws {
        let container = container
        do throws(BrowseError) {
            _ = try await container.userRepository().profile(of: GitHub.Login("nobody-at-all"))
        } catch {
            switch error {
            case .cancelled: break
            case .notFound: print("no such account")
            case .rateLimited(let limit, _): print("again after", limit.retryAt)
            default: print(container.texts().about(.gitHub).message(for: error).title, error)
            }
        }
    }

    @Test func `observe requests`() async throws {
        let printer = ExchangePrinter { line in print(line) }
        let container = Container.offline(configuration: Configuration().with { $0.observers = [printer] })
        _ = try await container.userRepository().profile(of: GitHub.Login("octocat"))
    }
}
