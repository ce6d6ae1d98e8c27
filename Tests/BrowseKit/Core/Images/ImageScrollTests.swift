import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseKit
import BrowseMocks
import BrowsePresentation
import Foundation
import Synchronization
import TestLimits
import Testing

@testable import BrowseData

/// Scrolls fast through two thousand rows with images, over real sockets.
@MainActor @Suite(.bounded)
struct `Scrolling past images` {
    /// Counts the requests in flight.
    private final class CountingTransport: HTTPTransport {
        struct Counts {
            var names: [String] = []
            var inFlight: [String] = []
            var most = 0
            var cancelled = 0
            var now: Int { inFlight.count }
        }

        let counts = Monitor(Counts())
        private let transport = HTTPClient.makeTransport()

        func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
            let name = request.url.lastPathComponent
            counts.withLock { counts in
                counts.names.append(name)
                counts.inFlight.append(name)
                counts.most = max(counts.most, counts.now)
            }
            defer {
                counts.withLock { counts in
                    if let index = counts.inFlight.firstIndex(of: name) { counts.inFlight.remove(at: index) }
                }
            }
            do throws(BrowseError) {
                return try await transport.send(request)
            } catch {
                if error == .cancelled { counts.withLock { $0.cancelled += 1 } }
                throw error
            }
        }
    }

    /// Counts events, each of which follows a change of the queue.
    private final class Events: HTTPObserver {
        let count = Monitor(0)
        func observe(_ event: HTTPEvent) { count.withLock { $0 += 1 } }
    }

    /// Holds the responses to each path back until its gate is open.
    private final class Gates: Sendable {
        private let gates = Mutex<[String: LoopbackGate]>([:])

        subscript(path: String) -> LoopbackGate {
            gates.withLock { gates in
                let gate = gates[path] ?? LoopbackGate()
                gates[path] = gate
                return gate
            }
        }
    }

    private let events = Events()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "scroll-\(UUID().uuidString)")
    private let transport = CountingTransport()
    private let screen = 10
    private let memoryLimit = 40_000

    private func rows(at origin: String) -> Rows<UserRow> {
        Rows(
            (0..<2000).map { number in
                UserRow(
                    GitHub.User(
                        id: .init(rawValue: Int64(number)),
                        login: .init("user-\(number)"),
                        avatar: WebAddress(rawValue: "\(origin)/\(number)")
                    )
                )
            }
        )
    }

    @Test func `limits the requests in flight, cancels invisible rows, and loads visible rows first`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let gates = Gates()
        let server = try LoopbackServer { request in
            let picture = DrawnImage.png(for: request.target) + Data(count: 3000)
            let response = LoopbackResponse(headers: [("Content-Type", "image/png")], body: Array(picture))
            return LoopbackResponse(steps: [.holdUntil(gates[request.target])] + response.steps)
        }
        var configuration = Configuration().with { $0.storageFolder = folder }
        configuration.gitHub.url = try #require(URL(string: server.origin))
        // No time limit expires while the test holds responses back, however slow the machine is.
        let patient = HTTPLimits(bodyBytes: 1 << 20, duration: .seconds(600))
        configuration.observers = [events]
        configuration.imageLimits = ImageLimits { limits in
            (limits.memoryBytes, limits.requests, limits.request) = (memoryLimit, 3, patient)
        }
        let container = Container(configuration)
        container.transport.override { [transport] _ in transport }
        let repository = try #require(container.imageRepository() as? RemoteImageRepository)
        let rows = rows(at: server.origin)
        let prefetcher = container.imagePrefetcher()
        let places = (0..<screen).map { _ in container.remoteImageViewModel() }

        for start in stride(from: 0, through: rows.count - 100, by: 7) {
            let visible = start..<start + screen
            for (place, position) in zip(places, visible) {
                place.request = rows[position].user.avatar.map { ImageRequest($0) }
                #expect(place.state == .loading)
            }
            prefetcher.prefetch(rows.images(around: visible, distance: 20))
            // The number of loads that begin before the next step is random; the test must pass for any number.
            for _ in 0..<20 { await Task.yield() }
        }
        // No response has arrived, and invisible rows are canceled: three requests are in flight, the others wait.
        let last = (rows.count - 100) / 7 * 7
        try await waitUntil {
            let (_, now) = (events.count.value, transport.counts.value.now)
            return now == 3 && repository.slots(of: "127.0.0.1").waiting == screen + 2 * 20 - 3
        }
        let sent = transport.counts.withLock { $0 }
        #expect(sent.most == 3)
        #expect(sent.names.count - sent.cancelled == 3)
        #expect(sent.names.count < 1000)

        // One response at a time: any number of others can overtake a request that was admitted, and isn't sent yet.
        let visible = Set((last..<last + screen).map { "\($0)" })
        let waiting = screen - sent.inFlight.count { visible.contains($0) }
        for count in 1...waiting {
            let first = try #require(transport.counts.value.inFlight.first)
            gates["/\(first)"].open()
            try await waitUntil { transport.counts.value.names.count == sent.names.count + count }
        }
        let next = transport.counts.value.names.dropFirst(sent.names.count)
        #expect(visible.isSuperset(of: next), "\(next)")

        for number in last - 20..<last + screen + 20 { gates["/\(number)"].open() }
        for (place, position) in zip(places, last..<last + screen) {
            let state = await place.until { $0 != .loading }
            guard case .loaded(let image) = state else {
                Issue.record("\(position): \(state)")
                return
            }
            #expect(image.data == DrawnImage.png(for: "/\(position)") + Data(count: 3000))
            #expect(repository.memory.withLock { $0.cost } <= memoryLimit)
        }
        // All nearby rows have loaded.
        try await waitUntil {
            let (_, now) = (events.count.value, transport.counts.value.now)
            return now == 0 && repository.slots(of: "127.0.0.1").waiting == 0
        }
        let order = transport.counts.withLock { $0.names.dropFirst(sent.names.count) }.compactMap { Int($0) }
        #expect(transport.counts.withLock { $0.most } == 3)
        #expect(Set(order).isSubset(of: last - 20..<last + screen + 20))
        #expect(repository.memory.withLock { $0.cost } <= memoryLimit)
        #expect(repository.memory.withLock { $0.cost } > memoryLimit / 2)
    }
}
