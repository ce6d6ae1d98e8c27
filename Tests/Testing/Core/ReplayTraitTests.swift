import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import BrowsePresentation
import BrowseTesting
import Foundation
import TestLimits
import Testing

@Suite(.bounded)
@MainActor
struct ReplayTraitTests {
    @Test(.replay("followers.har"), arguments: 0..<20)
    func `A screen has the same states in every replay`(_: Int) async throws {
        let model = try Container.replay().followerListViewModel()
        let recorder = StateRecorder(of: model)
        await model.show(.followers(of: GitHub.Login("octocat")))
        #expect(recorder.states.map(\.content.status) == [.idle, .loading, .ready])
        #expect(model.state.content.rows.map(\.user.login.rawValue) == ["mona", "hubot"])
    }

    @Test(.replay("followers.har", in: .module, mode: .loose))
    func `A recording comes from a bundle`() async throws {
        let request = HTTPClient.Request(
            url: try #require(URL(string: "https://api.github.com/users/octocat/followers?per_page=100")),
            endpoint: "TEST",
            // A busy machine can take longer than the default.
            limits: HTTPLimits(duration: .seconds(100_000))
        )
        #expect(try await ReplayingTransport.current().send(request).status == 200)
    }

    @Test func `A test without the trait learns how to get a recording`() {
        let error = #expect(throws: ReplayingTransport.NotReplaying.self) { try Container.replay() }
        #expect(error?.description.contains("@Test(.replay(\"session.har\"))") == true)
    }

    @Test func `Missing and unexpected requests are issues of the test`() async throws {
        let issues = try await issues(with: .replay("followers.har")) {
            let request = HTTPClient.Request(
                url: try #require(URL(string: "https://api.github.com/user")),
                endpoint: "TEST"
            )
            #expect(try await ReplayingTransport.current().send(request).status == 400)
        }
        #expect(issues.count == 2)
        #expect(issues.first?.hasPrefix("Request without a recorded response: GET https://api.github.com/user") == true)
        #expect(
            issues.last?.hasPrefix(
                "Recorded, but not requested: GET https://api.github.com/users/octocat/followers?per_page=100"
            ) == true
        )
    }

    @Test(arguments: ["session.har", "session"])
    func `The mode for missing exchanges writes the recording, and that is an issue`(name: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "replay-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appending(path: "Tests.swift").path(percentEncoded: false)
        let send = { @Sendable (paths: [String]) async throws in
            for path in paths {
                let url = try #require(URL(string: "https://host.test/\(path)"))
                let request = HTTPClient.Request(
                    url: url,
                    headers: ["Authorization": "Bearer abcdefghijk"],
                    endpoint: "TEST"
                )
                #expect(try await ReplayingTransport.current().send(request).body == Data("abc".utf8))
            }
        }
        for (paths, count) in [(["a"], 1), (["a", "b", "c"], 2), (["a", "b", "c"], 0)] {
            let server = ScriptedServer()
            server.on(.any, response: .body(Data("abc".utf8)))
            let trait = ReplayTrait.replay(name, mode: .recordMissing(from: server.transport()), filePath: source)
            let reports = try await self.issues(with: trait) { try await send(paths) }
            let place = folder.appending(path: "Fixtures/\(name)").path(percentEncoded: false)
            let report = "Recorded \(count) exchange\(count == 1 ? "" : "s") in \(place)."
            #expect(reports.count == min(1, count))
            #expect(reports.allSatisfy { $0.hasPrefix(report) })
        }
        let replayed = try await self.issues(with: .replay(name, filePath: source)) { try await send(["a", "b", "c"]) }
        #expect(replayed == [])
        let recording = try Recording(contentsOf: folder.appending(path: "Fixtures/\(name)"))
        #expect(recording.exchanges.allSatisfy { $0.headers["Authorization"] == nil })
    }

    @Test func `A missing recording is an error that says where it should be`() async throws {
        let issues = try await issues(with: .replay("nothing.har")) {}
        #expect(issues.count == 1)
        #expect(issues.first?.contains("Tests/Testing/Core/nothing.har: There is no recording.") == true)
    }

    @Test func `A replay that the test doesn't use is an issue that says so`() async throws {
        let issues = try await issues(with: .replay("followers.har")) {}
        #expect(issues.map { $0.hasSuffix("\nNo request came. Is this the container's transport?") } == [true])
    }

    private func issues(
        with trait: ReplayTrait,
        of body: @escaping @Sendable @concurrent () async throws -> Void
    ) async throws -> [String] {
        let test = try #require(Test.current)
        return try await recordedIssues { try await trait.provideScope(for: test, testCase: nil, performing: body) }
            .map(\.text)
    }
}
