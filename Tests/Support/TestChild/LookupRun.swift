#if os(Linux)
import BrowseData
import BrowseDomain
import BrowseMocks
import Dispatch
import Foundation
import SlowLookups

/// Cancels requests during the lookup of their host name.
///
/// Checks that other requests work, and that lookups don't accumulate. Then sends a request to a
/// host with two addresses, the first of which doesn't answer.
struct LookupRun {
    private static let connections = 4

    static func run() async throws {
        // Ends a run that hangs.
        alarm(120)
        let tally = Tally()
        let transport = HTTPClient.makeTransport(connectionsPerHost: connections)
        let server = try LoopbackServer(isRecording: false) { _ in .json("{}") }
        guard let slow = URL(string: "http://host.slow/"), let fast = URL(string: server.origin) else {
            throw TestChild.WrongArguments()
        }
        for _ in 0..<3 {
            let tasks = (0..<200).map { _ in Task { await failure(of: slow, over: transport) } }
            _ = await lookups(atLeast: connections)
            for task in tasks { task.cancel() }
            for task in tasks {
                let error = await task.value
                if error != .cancelled { tally.complain("a canceled lookup ended with \(String(describing: error))") }
            }
            if let error = await failure(of: fast, over: transport) {
                tally.complain("another request failed: \(error)")
            }
        }
        let count = await lookups(atLeast: 0)
        if count > connections { tally.complain("\(count) lookups of a host with \(connections) connections began") }
        slow_lookups_end()
        let error = await failure(of: slow, over: transport)
        guard case .unreachable(.hostNotFound, _) = error else {
            tally.complain("a lookup ended with \(String(describing: error))")
            return
        }
        let port = fast.port ?? 0
        if slow_lookups_silence(Int32(port)) == 0 { tally.complain("127.0.0.2 has no listener") }
        if let pair = URL(string: "http://host.pair:\(port)/"),
            let error = await failure(of: pair, within: .seconds(9), over: transport)
        {
            tally.complain("the second address wasn't reached: \(error)")
        }
        for line in tally.lines { TestChild.write(line) }
        TestChild.write("done")
    }

    /// Waits until at least `count` lookups have begun, and returns their number.
    private static func lookups(atLeast count: Int) async -> Int {
        await withCheckedContinuation { continuation in
            // Off the concurrency pool, because it blocks.
            DispatchQueue(label: "LookupRun").async {
                continuation.resume(returning: Int(slow_lookups_wait(Int32(count))))
            }
        }
    }

    private static func failure(
        of url: URL,
        within limit: Duration = .seconds(15),
        over transport: any HTTPTransport
    ) async -> BrowseError? {
        do throws(BrowseError) {
            let limits = HTTPLimits(duration: limit)
            _ = try await transport.send(HTTPClient.Request(url: url, endpoint: "GET /", limits: limits))
            return nil
        } catch {
            return error
        }
    }
}
#endif
