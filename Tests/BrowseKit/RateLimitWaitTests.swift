import BrowseDomain
@testable import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import BrowsePresentation
import BrowseRickAndMortyDomain
import Foundation
import Synchronization
import TestLimits
import Testing

@testable import BrowseData
@testable import BrowseCore
import BrowseKit

/// Tests the states of screens whose loads wait for a rate limit.
@MainActor @Suite(.bounded)
struct `Screens that wait for a rate limit` {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "wait-\(UUID().uuidString)")
    private let clock = TestClock()
    private let start = Date(timeIntervalSince1970: 1_795_258_800)

    /// A transport that returns responses in order, and repeats the last one.
    private final class Responses: HTTPTransport {
        typealias Response = (status: Int, headers: HTTPHeaders, body: String)

        private let responses: [Response]
        private let requests = Mutex<[HTTPRequest]>([])

        init(_ responses: [Response]) { self.responses = responses }

        var count: Int { requests.withLock { $0.count } }

        func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
            let index = requests.withLock { requests in
                requests.append(request)
                return requests.count - 1
            }
            let response = responses[min(index, responses.count - 1)]
            var headers = response.headers
            headers["Content-Type"] = "application/json"
            return HTTPResponse(
                status: response.status,
                headers: headers,
                body: Data(response.body.utf8),
                url: request.url
            )
        }
    }

    private func container(_ responses: Responses, longestWait: Duration = .seconds(600), locale: String = "en_US")
        -> Container
    {
        let container = Container(
            Configuration(storageFolder: folder, locale: Locale(identifier: locale), timeZone: .gmt).with {
                $0.longestWait = longestWait
                $0.loadPolicy = .fresh
                $0.cacheByteLimit = 0
                $0.now = { [clock, start] in start.addingTimeInterval(clock.now.offset / .seconds(1)) }
                $0.clock = clock
            }
        )
        container.transport.override { _ in responses }
        container.gitHubTokenStore.override { _ in InMemoryTokenStore(nil) }
        return container
    }

    private static func user(_ id: Int) -> String {
        """
        [{"login":"user-\(id)","id":\(id),"avatar_url":"https://avatars.example/\(id)",
        "html_url":"https://github.com/user-\(id)","type":"User"}]
        """
    }

    /// A first page that exhausts the limit for five minutes, and a second page.
    private var pages: Responses {
        let next = "<https://api.github.com/users/octocat/followers?page=2>; rel=\"next\""
        return Responses([
            (
                200,
                [
                    "Link": next, "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0",
                    "X-RateLimit-Reset": "\(Int(start.timeIntervalSince1970) + 300)",
                ],
                Self.user(1)
            ),
            (200, [:], Self.user(2)),
        ])
    }

    @Test(arguments: [("en_US", "Waiting Until"), ("ko_KR", "까지 대기 중")])
    func `show the end of the wait, and continue then`(locale: String, words: String) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let responses = pages
        let model = container(responses, locale: locale).followerListViewModel()
        await model.show(.followers(of: GitHub.Login("octocat")))
        #expect(model.state.content.waiting == nil)
        let load = Task { await model.loadMore() }
        let state = await model.until { $0.content.waiting != nil }
        #expect(state.content.status == .loadingMore)
        #expect(state.content.waiting?.kind == .waiting(until: start + 300))
        #expect(state.content.waiting?.title.contains(words) == true)
        #expect(responses.count == 1)
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(300))
        await load.value
        #expect(model.state.content.rows.map(\.login.rawValue) == ["user-1", "user-2"])
        #expect(model.state.content.waiting == nil)
    }

    @Test func `stop waiting when canceled`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let responses = pages
        let container = container(responses)
        let model = container.followerListViewModel()
        await model.show(.followers(of: GitHub.Login("octocat")))
        let load = Task { await model.loadMore() }
        await model.until { $0.content.waiting != nil }
        load.cancel()
        await load.value
        #expect(model.state.content.waiting == nil)
        #expect(model.state.content.status == .ready)
        #expect(container.gitHubGate().waiting == 0)
        #expect(responses.count == 1)
    }

    @Test func `fail at once without a longest wait, unless the load has its own`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let responses = pages
        let container = container(responses, longestWait: .zero)
        let repository = container.followerRepository()
        let list = GitHub.FollowList.followers(of: GitHub.Login("octocat"))
        _ = try await repository.page(of: list, at: nil)
        let error = await #expect(throws: BrowseError.self) { try await repository.page(of: list, at: nil) }
        guard case .rateLimited(let limit, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(limit.retryAt == start + 300)
        let load = Task {
            try await LoadOptions(longestWait: .seconds(300)).load { () throws(BrowseError) in
                try await repository.page(of: list, at: nil)
            }
        }
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(300))
        #expect(try await load.value.value.items.map(\.id.rawValue) == [2])
    }

    @Test func `show the wait in place of details`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let episode = """
            {"id":1,"name":"Pilot","air_date":"December 2, 2013","episode":"S01E01","characters":[],
            "url":"https://rickandmortyapi.com/api/episode/1","created":"2017-11-10T12:56:33.798Z"}
            """
        let responses = Responses([(429, ["Retry-After": "30"], "{}"), (200, [:], episode)])
        let model = container(responses).episodeDetailViewModel()
        let load = Task { await model.show(RickAndMorty.Episode.ID(rawValue: 1)) }
        let state = await model.until { if case .waiting = $0.content.status { true } else { false } }
        guard case .waiting(let message) = state.content.status else { return }
        #expect(message.kind == .waiting(until: start + 30))
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(30))
        await load.value
        guard case .loaded(let details) = model.state.content.status else {
            Issue.record("\(model.state.content.status)")
            return
        }
        #expect(details.name == "Pilot")
    }

    @Test func `show the wait in place of a profile, until it loads`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let profile = """
            {"login":"octocat","id":1,"avatar_url":"https://avatars.example/1","html_url":"https://github.com/octocat",
            "type":"User","public_repos":1,"public_gists":1,"followers":1,"following":1,
            "created_at":"2011-01-25T18:44:36Z"}
            """
        let responses = Responses([(429, ["Retry-After": "30"], "{}"), (200, [:], profile)])
        let model = container(responses).userProfileViewModel()
        let load = Task { await model.show(GitHub.Login("octocat")) }
        let state = await model.until { if case .waiting = $0.content.status { true } else { false } }
        guard case .waiting(let message) = state.content.status else { return }
        #expect(message.kind == .waiting(until: start + 30))
        await clock.waitForSleepers(1)
        await clock.advance(by: .seconds(30))
        await load.value
        #expect(model.state.notice == nil)
        guard case .loaded = model.state.content.status else {
            Issue.record("\(model.state.content.status)")
            return
        }
    }
}
