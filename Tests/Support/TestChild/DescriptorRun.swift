#if os(Linux)
import BrowseData
import BrowseDomain
import BrowseMocks
import Foundation
import Glibc

/// Lowers the limit of open descriptors during a request, so that waiting for its connection fails.
///
/// Checks that the request fails, and that later requests work once the limit is restored.
struct DescriptorRun {
    static func run() async throws {
        // Ends a run that hangs.
        alarm(120)
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let server = try LoopbackServer { _ in LoopbackResponse(steps: [.run { arrival.yield() }, .hold]) }
        guard let url = URL(string: server.origin) else { throw TestChild.WrongArguments() }
        let transport = HTTPClient.makeTransport(connectionsPerHost: 4)
        let held = Task { await failure(of: url, over: transport) }
        for await _ in arrivals { break }

        var original = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &original)
        // The server waits for two descriptors; the loop of the request waits for three.
        var limit = rlimit(rlim_cur: 2, rlim_max: original.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        // The request wakes the loop, which waits again. It fails itself, since it needs a descriptor.
        let second = await failure(of: url, over: transport)
        let first = await held.value
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &original)
        guard case .unreachable(.other, _) = first, case .unreachable = second else {
            TestChild.write("wrong: \(String(describing: first)), \(String(describing: second))")
            return
        }
        let next = try LoopbackServer { _ in .json("{}") }
        guard let url = URL(string: next.origin) else { throw TestChild.WrongArguments() }
        if let error = await failure(of: url, over: transport) { TestChild.write("wrong: \(error)") }
        TestChild.write("done")
    }

    private static func failure(of url: URL, over transport: any HTTPTransport) async -> BrowseError? {
        let limits = HTTPLimits(duration: .seconds(100_000))
        do throws(BrowseError) {
            _ = try await transport.send(HTTPClient.Request(url: url, endpoint: "GET /", limits: limits))
            return nil
        } catch {
            return error
        }
    }
}
#endif
