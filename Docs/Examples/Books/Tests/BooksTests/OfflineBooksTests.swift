import BrowseCore
import BrowseCoreMocks
import BrowseData
import Foundation
import Testing

@testable import Books

@MainActor
@Suite(.timeLimit(.minutes(5))) struct `Books without a network` {
    private let books = OfflineBooks()

    private func search(in container: Container) async -> BookSearchViewModel {
        let model = container.bookSearchViewModel()
        model.query = "tea"
        await model.submit()
        return model
    }

    @Test func `come from an offline service of the package`() async {
        let container = Container.offline(services: [OfflineBooks()])
        let model = await search(in: container)
        #expect(model.state.content.rows.map(\.title) == ["The Tea Harbor", "차 이야기"])
    }

    @Test func `follow scenarios, and answer more requests`() async throws {
        books.scenarios.set(.serverError, for: .any.query(["page": "2"]))  // the second page fails
        books.scenarios.set(.offline, for: .any, probability: 0.1, seed: 7)  // one request in ten fails
        books.script.on(.get, "/editions.json", response: .json("[]"))  // one more endpoint
        books.scenarios.removeAll()
        books.scenario = .empty
        let container = Container.offline(services: [books])
        #expect(await search(in: container).state.content.rows.isEmpty)
        let editions = Endpoint<[String]>.json(.path("/editions.json")) { (response: [String], _) in response }
        #expect(try await container.bookClient().send(editions).isEmpty)
    }

    @Test func `follow every scenario, which the service needn't know`() async {
        let end = Date(timeIntervalSinceNow: 3_000)
        for (scenario, kind) in [(Scenario.serverError, Message.Kind.serverFailure), (.offline, .offline)] {
            books.scenario = scenario
            #expect(await search(in: .offline(services: [books])).state.content.status.message?.kind == kind)
        }
        books.scenario = .rateLimited(until: end)
        let message = await search(in: .offline(services: [books])).state.content.status.message
        guard case .rateLimited(let date) = message?.kind else {
            Issue.record("\(String(describing: message))")
            return
        }
        #expect(abs(date.timeIntervalSince(end)) < 60)
    }

    @Test func `are limited until the test's clock reaches the end`() async {
        let clock = TestClock()
        let now = clock.now(from: Date(timeIntervalSince1970: 1_000_000_000))
        let books = OfflineBooks(OfflineScenarios(.rateLimited(until: now() + 60), clock: clock, now: now))
        let configuration = Configuration().with { ($0.clock, $0.now) = (clock, now) }
        let container = Container.offline(services: [books], configuration: configuration)
        let model = await search(in: container)
        #expect(model.state.content.status.message?.kind == .rateLimited(until: now() + 60))
        await clock.advance(by: .seconds(61))
        await model.retry()
        #expect(model.state.content.rows.count == 2)
    }

    @Test func `have fixtures that a test replaces`() throws {
        let fixtures = Fixtures(in: .module).adding(Fixtures(["work": Data("{}".utf8)]))
        let work = try fixtures["work"]
        #expect(work == Data("{}".utf8))
        #expect(fixtures.names.contains("search-tea-1"))
    }

    @Test func `keep their endpoints when a test adds one`() async throws {
        books.script.on(.get, "/editions.json", response: .json("[]"))
        let model = await search(in: Container.offline(services: [books]))
        #expect(model.state.content.rows.count == 2)
    }
}
