import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import Testing

@testable import BrowseData

@Suite(.bounded)
struct `Reads beside a change` {
    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete])
    func `don't join a read that was sent before its begin or its end`(method: HTTPMethod) async throws {
        let (server, held) = (ScriptedServer(), ControlledResponses<HTTPMethod, Void>())
        let url = try #require(URL(string: "https://books.example"))
        let client = HTTPClient.standard(.json(baseURL: url, userAgent: "Tests"), transport: server.transport())
        server.on(
            RequestMatcher.any,
            times: .any,
            response: .computed { request in
                try? await held.response(to: request.method)
                return .json("{}")
            }
        )
        @Sendable func send(_ method: HTTPMethod) -> Task<Void, any Error> {
            Task { try await client.send(Endpoint(method: method, .path("/books")) { _ in }) }
        }
        var tasks = [send(.get)]
        await held.waitForRequests(1)
        let change = send(method)
        await held.waitForRequests(2)
        tasks.append(send(.get))
        await held.waitForRequests(3)
        held.answer(1, with: .success(()))
        try await change.value
        tasks.append(send(.get))
        await held.waitForRequests(4)
        #expect(held.requests.count { $0 == .get } == 3)
        for number in 0..<4 { held.answer(number, with: .success(())) }
        for task in tasks { try await task.value }
    }

    /// Services search by POST, such as Notion, and those with GraphQL.
    @Test func `by POST join equal ones, and end no joining`() async throws {
        let (server, held) = (ScriptedServer(), ControlledResponses<Data, Void>())
        let joined = EventCounter("joined")
        let url = try #require(URL(string: "https://books.example"))
        let client = HTTPClient.standard(
            .json(baseURL: url, userAgent: "Tests"),
            transport: server.transport(),
            options: .init { $0.observers = [joined] }
        )
        server.on(
            RequestMatcher.any,
            times: .any,
            response: .computed { request in
                try? await held.response(to: request.body ?? Data())
                return .json("{}")
            }
        )
        @Sendable func send(_ body: String?) -> Task<Int, any Error> {
            var endpoint = Endpoint(method: body == nil ? .get : .post, .path("/books")) { $0.status }
            endpoint.body = body.map { Data($0.utf8) }
            endpoint.onlyReads = true
            return Task { [endpoint] in try await client.send(endpoint) }
        }
        let bodies = [nil, "tea", "coffee"]
        var tasks: [Task<Int, any Error>] = []
        for (index, body) in bodies.enumerated() {
            tasks.append(send(body))
            await held.waitForRequests(index + 1)
        }
        for (index, body) in bodies.enumerated() {
            tasks.append(send(body))
            await joined.wait(for: index + 1)
        }
        #expect(held.requests == [Data(), Data("tea".utf8), Data("coffee".utf8)])
        for number in bodies.indices { held.answer(number, with: .success(())) }
        for task in tasks { #expect(try await task.value == 200) }
    }

    @Test func `of one load, such as all pages of a list, are remembered once for each account`() async throws {
        let deduplication = RequestDeduplication()
        let url = try #require(URL(string: "https://books.example"))
        let load = CoalescedLoad {
            for page in 0..<100 {
                var request = HTTPClient.Request(url: url.appending(path: "\(page)"), endpoint: "GET /{}")
                request.account = page.isMultiple(of: 2) ? "mona" : "haneul"
                _ = try? await deduplication.send(request) { request throws(BrowseError) in
                    HTTPClient.Response(status: 200, url: request.url)
                }
            }
        }
        await load.wait()
        #expect(deduplication.loads.withLock(\.count) == 2)
    }
}
