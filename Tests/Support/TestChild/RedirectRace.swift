#if os(macOS) || os(Linux)
import BrowseData
import BrowseDomain
import Foundation
import LoopbackServer
import TestSupport

/// Cancels requests while they follow redirects, and reports how its memory and descriptors grew.
struct RedirectRace {
    private let transport: any HTTPTransport
    private let count: Int

    init(_ arguments: ArraySlice<String>) throws {
        let arguments = Array(arguments)
        guard arguments.count == 2, let kind = TransportKind(argument: arguments[0]), let count = Int(arguments[1])
        else {
            throw TestChild.WrongArguments()
        }
        transport = kind.makeTransport()
        self.count = count
    }

    func run() async throws {
        // A hang ends here, and with it the test that awaits the process.
        alarm(UInt32(60 + count / 100))
        let server = try LoopbackServer(isRecording: false) { request in
            request.target == "/4" ? .json("{}") : .redirect(to: "/\((Int(request.target.dropFirst()) ?? 0) + 1)")
        }
        guard let url = URL(string: server.origin + "/0") else { throw TestChild.WrongArguments() }
        try await race(count / 4, to: url)
        let before = (ProcessMemory.resident ?? 0, ProcessMemory.descriptors ?? 0)
        try await race(count - count / 4, to: url)
        TestChild.write("memory \(((ProcessMemory.resident ?? 0) - before.0) >> 20)")
        TestChild.write("descriptors \((ProcessMemory.descriptors ?? 0) - before.1)")
        TestChild.write("done")
    }

    private func failure(of request: HTTPRequest) async -> BrowseError? {
        do throws(BrowseError) {
            _ = try await transport.send(request)
            return nil
        } catch {
            return error
        }
    }

    /// Follows about so many redirects.
    private func race(_ redirects: Int, to url: URL) async throws {
        await withTaskGroup { group in
            for task in 0..<16 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(task))
                    for _ in 0..<(redirects / 16 / 3) {
                        let request = HTTPRequest(url: url, endpoint: "GET /")
                        let sending = Task { await failure(of: request) }
                        let yields = Int.random(in: 0..<300, using: &random)
                        // Cancels at a different point of each exchange; any number of turns is right.
                        for _ in 0..<yields { await Task.yield() }
                        sending.cancel()
                        let error = await sending.value
                        if let error, error != .cancelled { TestChild.write("wrong: \(error)") }
                    }
                }
            }
        }
    }
}
#endif
