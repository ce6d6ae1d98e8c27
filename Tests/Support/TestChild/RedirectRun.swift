#if os(macOS) || os(Linux)
import BrowseData
import BrowseDomain
import BrowseMocks
import Foundation
import Synchronization
import TestSupport

/// Follows endless redirects that are canceled or time out at random; reports memory and descriptors.
struct RedirectRun {
    private let count: Int
    private let seed: UInt64

    private static let tasks = 16

    /// - Parameter arguments: The number of redirects and a seed.
    init(_ arguments: ArraySlice<String>) throws {
        let arguments = Array(arguments)
        guard arguments.count == 2, let count = Int(arguments[0]), let seed = UInt64(arguments[1]) else {
            throw TestChild.WrongArguments()
        }
        (self.count, self.seed) = (count, seed)
    }

    func run() async throws {
        ProcessMemory.shareHeaps()
        // Ends a run that hangs.
        alarm(UInt32(120 + count / 50))
        // A small run first, so that one-time allocations don't count as growth.
        try await Self.round(of: max(1000, count / 10), seed: seed + 1)
        let usage = ResourceUsage()
        try await Self.round(of: count, seed: seed)
        await usage.report()
        TestChild.write("done")
    }

    /// Follows redirects until the server has sent `count`.
    static func round(of count: Int, seed: UInt64) async throws {
        let transport = TestTransport.make(redirectLimit: .max)
        let hops = Hops()
        let server = try LoopbackServer(isRecording: false) { hops.response(to: $0) }
        guard let origin = URL(string: server.origin) else { throw TestChild.WrongArguments() }
        let tally = Tally()
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    var random = SeededGenerator(seed: SeededGenerator.hash("redirect \(task)", seed: seed))
                    var number = 0
                    while hops.total < count {
                        await follow("\(task)-\(number)", origin, hops, transport, tally, &random)
                        number += 1
                    }
                }
            }
        }
        server.stop()
        tally.count("redirects", hops.total)
        for line in tally.lines { TestChild.write(line) }
    }

    /// Follows one chain of redirects, and ends it around a random hop.
    private static func follow(
        _ name: String,
        _ origin: URL,
        _ hops: Hops,
        _ transport: any HTTPTransport,
        _ tally: Tally,
        _ random: inout SeededGenerator
    ) async {
        let expires = Int.random(in: 0..<4, using: &random) == 0
        let duration = expires ? Duration.microseconds(Int.random(in: 1000..<20_000, using: &random)) : .seconds(60)
        let request = HTTPClient.Request(
            url: origin.appending(path: name).appending(path: "0"),
            endpoint: "GET /redirect",
            limits: HTTPLimits(duration: duration)
        )
        let task = Task { () -> BrowseError? in
            do throws(BrowseError) { _ = try await transport.send(request) } catch { return error }
            return nil
        }
        if !expires {
            await hops.wait(for: Int.random(in: 0..<12, using: &random), of: name)
            // Cancels at random points of the exchange.
            for _ in 0..<Int.random(in: 0..<30, using: &random) { await Task.yield() }
            task.cancel()
        }
        let error = await task.value
        hops.remove(name)
        switch error {
        case .timedOut where expires: tally.count("timed out")
        case .cancelled where !expires: tally.count("canceled")
        default: tally.complain("\(name) ended with \(String(describing: error))")
        }
    }
}

/// The redirects that a server has sent, by the name of the chain.
private final class Hops: Sendable {
    private struct Waiter {
        let hop: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var total = 0
        var reached: [String: Int] = [:]
        var waiters: [String: Waiter] = [:]
    }

    private let state = Mutex(State())

    var total: Int { state.withLock { $0.total } }

    /// Sends `/NAME/HOP` to `/NAME/HOP+1`.
    func response(to request: LoopbackServer.Request) -> LoopbackResponse {
        let parts = request.target.split(separator: "/")
        guard parts.count == 2, let hop = Int(parts[1]) else { return LoopbackResponse(status: 404) }
        let name = String(parts[0])
        let waiter = state.withLock { state -> Waiter? in
            state.total += 1
            state.reached[name] = hop
            guard let waiter = state.waiters[name], waiter.hop <= hop else { return nil }
            return state.waiters.removeValue(forKey: name)
        }
        waiter?.continuation.resume()
        return .redirect(to: "/\(name)/\(hop + 1)")
    }

    func wait(for hop: Int, of name: String) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if let reached = state.reached[name], reached >= hop { return true }
                state.waiters[name] = Waiter(hop: hop, continuation: continuation)
                return false
            }
            if isReached { continuation.resume() }
        }
    }

    func remove(_ name: String) {
        state.withLock { _ = $0.reached.removeValue(forKey: name) }
    }
}
#endif
