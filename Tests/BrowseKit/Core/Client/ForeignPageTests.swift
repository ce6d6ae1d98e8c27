import BrowseAppStoreDomain
import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import BrowsePresentation
import Foundation
import TestLimits
import Testing

/// Pages of filters, proxies, and captive portals, as a person reads about them.
@MainActor @Suite(.bounded)
struct `A page in the place of a service` {
    private enum Screen: CaseIterable {
        case gitHub, appStore, rickAndMorty
    }

    private func message(on screen: Screen, _ response: ScriptedServer.Response, locale: String) async -> Message? {
        let server = ScriptedServer()
        server.on(.any, response: response)
        var configuration = Configuration().with { $0.locale = Locale(identifier: locale) }
        configuration.retries = .never
        let container = Container.production(on: server.transport(), configuration: configuration)
        switch screen {
        case .gitHub:
            let profile = container.userProfileViewModel()
            await profile.show(GitHub.Login("octocat"))
            if case .failed(let message) = profile.state.content.status { return message }
        case .appStore:
            let search = container.appSearchViewModel()
            search.query.text = "tea"
            await search.submit()
            if case .failed(let message) = search.state.content.status { return message }
        case .rickAndMorty:
            let list = container.characterListViewModel()
            await list.show()
            if case .failed(let message) = list.state.content.status { return message }
        }
        return nil
    }

    @Test(arguments: Screen.allCases, [200, 403, 421, 407, 511])
    private func `names the proxy or network, and not the service`(screen: Screen, status: Int) async throws {
        let page = ScriptedServer.Response.body(
            Data("<html>Blocked by your administrator</html>".utf8),
            status: status,
            headers: ["Content-Type": "text/html; charset=utf-8"]
        )
        for (locale, word, services) in [
            ("en_US", "proxy", ["GitHub", "App Store", "Rick"]),
            ("ko_KR", "프록시", ["GitHub", "App Store", "Rick", "릭"]),
        ] {
            let message = try #require(await message(on: screen, page, locale: locale))
            #expect(message.text.contains(word) && message.action == .retry)
            for service in services { #expect(!message.text.contains(service)) }
            guard case .unreachable(.intercepted, let info) = message.error else {
                Issue.record("\(message)")
                continue
            }
            #expect(info.status == status)
        }
    }

    @Test(arguments: [302, 307], [("en_US", "proxy"), ("ko_KR", "프록시")])
    func `is the network's if it redirects to http`(status: Int, text: (locale: String, word: String)) async throws {
        let page = ScriptedServer.Response.redirect(to: "http://portal.example/login", status: status)
        let message = try #require(await message(on: .gitHub, page, locale: text.locale))
        #expect(message.kind == .offline && message.action == .retry && message.text.contains(text.word))
    }

    /// As Docs/Examples/Letters, whose challenges have a realm.
    @Test(arguments: [nil, "Letters"])
    func `isn't the new address of a service of one's own, also if it's JSON`(realm: String?) async throws {
        let (url, server) = (try #require(URL(string: "https://a.example")), ScriptedServer())
        var service = HTTPClient.Service.json(baseURL: url, userAgent: "Tests")
        service.evidence = .json(realm: realm)
        server.on(.get, "https://a.example/me", response: .redirect(to: "https://sso.corp/login"))
        server.on(.get, "https://sso.corp/login", response: .json("{}", status: 403).ofProxy())
        let container = Container.production(on: server.transport(), configuration: .localized())
        let (client, texts) = (container.client(of: service), container.texts().about(.rickAndMorty))
        await #expect { try await client.send(Endpoint<Int>(.path("/me")) { $0.status }) } throws: { error in
            let message = (error as? BrowseError).map { texts.message(for: $0) }
            return message?.action == .retry && message?.text.contains("has changed") == false
        }
    }

    /// Only a 5xx needs no evidence.
    @Test(arguments: [404, 500, 503])
    func `is the failure of a service of one's own with a status of 500 or more`(status: Int) async throws {
        let url = try #require(URL(string: "https://own.example"))
        let server = ScriptedServer()
        let page = Data("<html>".utf8)
        server.on(.any, response: .body(page, status: status, headers: ["Content-Type": "text/html"]).ofProxy())
        let client = HTTPClient(service: .json(baseURL: url, userAgent: "Tests"), transport: server.transport())
        let info = BrowseError.RequestInfo(endpoint: "GET /a", status: status)
        await #expect(throws: status < 500 ? BrowseError.unreachable(.intercepted, info) : .serverFailure(info)) {
            try await client.send(Endpoint<Int>(.path("/a")) { $0.status })
        }
    }
}

@MainActor @Suite(.bounded)
struct `The page size of GitHub` {
    /// A server that fails for pages of 100 rows.
    private struct LimitedServer: HTTPTransport {
        let sizes = Monitor<Set<String>>([])
        private let gitHub = OfflineGitHub().transport()

        func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
            let items = URLComponents(url: request.url, resolvingAgainstBaseURL: true)?.queryItems ?? []
            let size = items.first { $0.name == "per_page" }?.value ?? "none"
            sizes.withLock { _ = $0.insert(size) }
            guard size == "100" else { return try await gitHub.send(request) }
            return HTTPClient.Response(status: 502, headers: [:], body: Data(), url: request.url)
        }
    }

    private let server = LimitedServer()

    private func container(_ change: (inout Configuration) -> Void) -> Container {
        var configuration = Configuration().with { $0.locale = Locale(identifier: "en_US") }
        configuration.retries = .never
        change(&configuration)
        return Container.production(on: server, configuration: configuration)
    }

    @Test func `is that of the settings, on all pages`() async throws {
        let list = container { $0.gitHub.pageSize = 30 }.followerListViewModel()
        await list.show(.followers(of: GitHub.Login("octocat")))
        #expect(list.state.content.rows.count == 30 && list.state.content.hasMore)
        await list.loadMore()
        #expect(list.state.content.rows.count == 60)
        #expect(server.sizes.value == ["30"])
    }

    @Test func `doesn't change the number of search results`() async throws {
        let search = container { $0.gitHub.pageSize = 30 }.userSearchViewModel()
        search.query.text = "everyone"
        await search.submit()
        await search.loadAll()
        #expect(search.state.content.rows.count == 1_000 && search.state.content.status == .ready)
    }

    @Test func `is 100 by default`() async {
        let list = container { _ in }.followerListViewModel()
        await list.show(.followers(of: GitHub.Login("octocat")))
        #expect(list.state.content.status.failure?.kind == .serverFailure)
    }
}
