import BrowseAppStore
import BrowseCore
import BrowseData
import BrowseDomain
import BrowseGitHub
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import Testing

/// The responses that a test adds to an offline service, and requests that nothing answers.
@Suite(.bounded) struct `A script of an offline service` {
    private let services = OfflineServices()

    @Test func `answers before the service, whatever the scenario`() async throws {
        services.setScenario(.offline)
        for service in services.all {
            service.script.on(.get, "/user/keys", response: .json("[1]"))
            #expect(try await service.transport().get("/user/keys").text == "[1]")
        }
        services.gitHub.script.on(.get, "/users/octocat", response: .computed { .json("\"\($0.url.path())\"") })
        #expect(try await services.gitHub.get("/users/octocat").text == "\"/users/octocat\"")
        await #expect(throws: (any Error).self) { try await services.gitHub.get("/users/lonely") }
    }

    @Test func `leaves the other requests to the service`() async throws {
        let gitHub = services.gitHub
        gitHub.script.on(.get, "/users/octocat", responses: [.status(500)])
        #expect(try await gitHub.get("/users/octocat").status == 500)
        #expect(try await gitHub.get("/users/octocat").status == 200)
        #expect(try await gitHub.get("/users/lonely").status == 200)
        try gitHub.script.verify()
        #expect(gitHub.script.requests.count == 1)
    }

    @Test func `can forbid a request that the service would answer`() async throws {
        services.gitHub.script.on(.get("/users/octocat"), times: .never, response: .status(200))
        #expect(try await services.gitHub.get("/users/octocat").status == 400)
        #expect(throws: ScriptedServer.Mismatch(unexpected: ["GET /users/octocat"])) {
            try services.gitHub.script.verify()
        }
    }

    @Test func `is used for an endpoint of a container's service`() async throws {
        services.gitHub.script.on(.get, "/user/keys", response: .json("[7]"))
        let container = Container.offline(services)
        let keys = Endpoint<[Int]>.json(.path("/user/keys")) { (keys: [Int], _) in keys }
        #expect(try await container.gitHubClient().send(keys) == [7])
    }

    @Test func `is missing for a request, which names itself and isn't missing content`() async throws {
        let reports = Mutex<[String]>([])
        let scope = TestScope { report, _ in reports.withLock { $0.append(report) } }
        let container = Container.offline(services)
        let keys = Endpoint<[Int]>.json(.path("/user/keys")) { (keys: [Int], _) in keys }
        let error = await TestScope.$current.withValue(scope) {
            await failure { () throws(BrowseError) in try await container.gitHubClient().send(keys) }
        }
        let report = """
            OfflineGitHub has no answer to GET /user/keys. Add one to it: .script.on(.get("/user/keys"), response: .json("{}"))
            """
        #expect(reports.withLock { $0 } == [report])
        guard case .rejected(let info) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(info.serverMessage == report)
    }
}

@Suite(.bounded) struct `Several offline services` {
    /// Another service at the App Store's address.
    private final class Charts: OfflineService {
        typealias Settings = AppStoreSettings
        let scenarios = OfflineScenarios()

        func hasEndpoint(for request: HTTPClient.Request) -> Bool {
            request.url.lastPathComponent.hasPrefix("charts")
        }

        @concurrent
        func response(to request: HTTPClient.Request, in scenario: Scenario) async throws -> HTTPClient.Response {
            let data = try Fixtures(["charts": Data("[1]".utf8)])[request.url.lastPathComponent]
            return HTTPClient.Response(status: 200, body: data, url: request.url)
        }
    }

    @Test func `can have the same base URL, and only those that were chosen answer`() async throws {
        let container = Container.offline(services: [OfflineAppStore(), Charts()])
        let charts = Endpoint<[Int]>.json(.path("/charts")) { (numbers: [Int], _) in numbers }
        #expect(try await container.appStoreClient().send(charts) == [1])
        let missing = await failure { () throws(BrowseError) in
            try await container.userRepository().profile(of: GitHub.Login("octocat"))
        }
        guard case .unreachable(.other(_, let detail), _) = missing else {
            Issue.record("\(String(describing: missing))")
            return
        }
        #expect(detail == "No offline service is at https://api.github.com/users/octocat.")
    }

    @Test func `report a response that throws, with its error`() async {
        let reports = Mutex<[String]>([])
        let scope = TestScope { report, _ in reports.withLock { $0.append(report) } }
        let detail = await TestScope.$current.withValue(scope) { await Charts().transport().failure("/charts-7") }
        let report = """
            Charts couldn't answer GET /charts-7: There is no fixture "charts-7". There are: charts.
            """
        #expect(reports.withLock { $0 } == [report])
        #expect(detail == report)
    }
}
