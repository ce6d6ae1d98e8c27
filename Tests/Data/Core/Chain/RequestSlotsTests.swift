import BrowseData
import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

/// Equal reads are sent once, and all others wait for a slot.
@Suite(.bounded)
struct `Requests of a client` {
    private typealias Caller = Task<Result<String, BrowseError>, Never>

    /// A read that waits or is in flight, with all of its callers.
    private struct Read {
        let path: String
        var callers: [(task: Caller, priority: LoadPriority)]
        /// The number of its request at the transport; `nil` while it waits for a slot.
        var number: Int?

        var isVisible: Bool { callers.contains { $0.priority == .visible } }
    }

    /// The exchanges that have joined another, wait for a slot, or were sent.
    private struct Arrivals: HTTPObserver {
        let exchanges = Monitor<Set<Int>>([])

        func observe(_ event: HTTPEvent) {
            if ["joined", "slot", "sent"].contains(event.name) {
                exchanges.withLock { _ = $0.insert(event.exchange) }
            }
        }
    }

    private let held = ControlledResponses<HTTPClient.Request, HTTPClient.Response>()
    private let arrivals = Arrivals()

    private func client(slots: Int) throws -> HTTPClient {
        HTTPClient.standard(
            .json(baseURL: try #require(URL(string: "https://library.example")), userAgent: "Tests"),
            transport: FakeTransport { [held] request, _ throws(BrowseError) in try await held.response(to: request) },
            options: .init {
                $0.requestConcurrency = slots
                $0.retries = .never
                $0.observers = [arrivals]
                $0.clock = TestClock()
            }
        )
    }

    private func call(_ endpoint: Endpoint<String>, _ options: LoadOptions, by client: HTTPClient) -> Caller {
        Task {
            await Result.of { () throws(BrowseError) in
                try await options.load { () throws(BrowseError) in try await client.send(endpoint) }.value
            }
        }
    }

    private func answer(_ number: Int, with text: String) {
        let url = held.requests[number].url
        held.answer(number, with: .success(HTTPClient.Response(status: 200, body: Data(text.utf8), url: url)))
    }

    private static func endpoint(
        _ path: String,
        method: HTTPMethod = .get,
        headers: HTTPHeaders = [:]
    ) -> Endpoint<String> {
        Endpoint(method: method, .path("/\(path)"), headers: headers) { String(decoding: $0.body, as: UTF8.self) }
    }

    @Test func `are equal if they're reads that differ only in priority`() async throws {
        let client = try client(slots: 100)
        let prefetch = LoadOptions(priority: .prefetch)
        let different = [Self.endpoint("b"), Self.endpoint("a", headers: ["Accept": "text/html"])]
        let reads =
            [LoadOptions(), prefetch, LoadOptions(), LoadOptions(source: .networkElseCache)].map {
                call(Self.endpoint("a"), $0, by: client)
            } + different.map { call($0, LoadOptions(), by: client) }
        await arrivals.exchanges.wait { $0.count == reads.count }
        // Afterward, since reads join none that began before a change.
        let callers = reads + (0..<2).map { _ in call(Self.endpoint("a", method: .put), LoadOptions(), by: client) }
        await arrivals.exchanges.wait { $0.count == callers.count }
        await held.waitForRequests(6)
        for number in 0..<6 { answer(number, with: "a") }
        for caller in callers { #expect(await caller.value == .success("a")) }
        #expect(held.requests.count == 6)
    }

    /// The oldest visible read is sent first, and the last of several free slots is for visible ones.
    @Test(arguments: 0..<30)
    func `match a simple list while callers arrive, join, cancel, and are answered`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let slots = Int.random(in: 1...4, using: &random)
        let client = try client(slots: slots)
        var (reads, callCount, sentCount): ([Read], Int, Int) = ([], 0, 0)
        for step in 0..<150 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0...2:
                let path = "\(Int.random(in: 0..<8, using: &random))"
                let priority: LoadPriority = Bool.random(using: &random) ? .visible : .prefetch
                let caller = (call(Self.endpoint(path), LoadOptions(priority: priority), by: client), priority)
                callCount += 1
                await arrivals.exchanges.wait { [callCount] in $0.count == callCount }
                if let place = reads.firstIndex(where: { $0.path == path }) {
                    reads[place].callers.append(caller)
                } else {
                    reads.append(Read(path: path, callers: [caller]))
                }
            case 3...4:
                guard let place = reads.indices.randomElement(using: &random),
                    let index = reads[place].callers.indices.randomElement(using: &random)
                else { continue }
                let caller = reads[place].callers.remove(at: index).task
                caller.cancel()
                #expect(await caller.value == .failure(.cancelled), "step \(step)")
                if reads[place].callers.isEmpty { reads.remove(at: place) }
            default:
                let inFlight = reads.indices.filter { reads[$0].number != nil }
                guard let place = inFlight.randomElement(using: &random), let number = reads[place].number else {
                    continue
                }
                answer(number, with: "\(step)")
                for caller in reads.remove(at: place).callers {
                    #expect(await caller.task.value == .success("\(step)"), "step \(step)")
                }
            }
            let free = slots - reads.count { $0.number != nil }
            let waiting = reads.indices.filter { reads[$0].number == nil }
            let next =
                waiting.first { reads[$0].isVisible && free > 0 } ?? waiting.first { _ in free > (slots == 1 ? 0 : 1) }
            if let next {
                reads[next].number = sentCount
                sentCount += 1
                await held.waitForRequests(sentCount)
                #expect(held.requests.last?.url.path() == "/\(reads[next].path)", "step \(step)")
            }
            try #require(held.requests.count == sentCount, "step \(step)")
        }
        for caller in reads.flatMap(\.callers) { caller.task.cancel() }
    }
}
