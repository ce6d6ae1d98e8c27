import Foundation
import Synchronization

/// The server in a separate process, so that its CPU time isn't counted; started at its first use.
final class BenchServer: Sendable {
    private struct State {
        var process: Process?
        var input: Pipe?
        var origin: URL?
    }

    private let state = Mutex(State())

    /// The base URL of an API with delayed responses.
    func baseURL(delay: Int) throws -> URL {
        let origin = try state.withLock { try $0.origin ?? Self.start(&$0) }
        return delay == 0 ? origin : origin.appending(path: "delay/\(delay)")
    }

    /// Ends the process, which also ends with this one.
    func stop() {
        state.withLock { state in
            try? state.input?.fileHandleForWriting.close()
            state.process?.waitUntilExit()
            state = State()
        }
    }

    private static func start(_ state: inout State) throws -> URL {
        guard let own = Bundle.main.executableURL?.resolvingSymlinksInPath() else {
            throw BenchFailure("does not know where it is")
        }
        let process = Process()
        let input = Pipe()
        let output = Pipe()
        process.executableURL = own.deletingLastPathComponent().appending(path: "bench-server")
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var text = ""
        while !text.hasSuffix("\n") {
            let part = output.fileHandleForReading.availableData
            guard !part.isEmpty else { throw BenchFailure("bench-server ended without printing a port") }
            text += String(decoding: part, as: UTF8.self)
        }
        guard let port = Int(text.dropLast()), let origin = URL(string: "http://127.0.0.1:\(port)") else {
            throw BenchFailure("bench-server said \(text)")
        }
        state = State(process: process, input: input, origin: origin)
        return origin
    }
}
