import NIOCore
import Synchronization

/// Writes the parts of a response in one version of HTTP.
protocol ResponseWriter: Sendable {
    func informational(_ status: Int, _ headers: [(String, String)]) async throws
    func head(_ status: Int, _ headers: [(String, String)]) async throws
    func body(_ bytes: [UInt8]) async throws
    func end(_ trailers: [(String, String)]) async throws
    func reset(_ error: TLSResponse.StreamError) async throws
    func goAway(isProcessed: Bool) async throws
    func cut() async throws
    func close() async throws
}

/// Performs the steps of one response in a task, until they're done or the peer disconnects.
final class Script: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isOver = false
    }

    private let state = Mutex(State())

    func start(_ response: TLSResponse, on writer: some ResponseWriter) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.task = Task { await self.run(response, on: writer) }
        }
    }

    /// Ends the script because the peer has disconnected, and returns whether the response was incomplete.
    func abandon() -> Bool {
        state.withLock { state in
            defer { state.isOver = true }
            state.task?.cancel()
            return !state.isOver
        }
    }

    private func run(_ response: TLSResponse, on writer: some ResponseWriter) async {
        do {
            for step in response.steps { try await perform(step, on: writer) }
        } catch {
            // The peer has disconnected; the channel's handler records it.
        }
    }

    /// Marks the response as closed by the script, so that the closure isn't attributed to the peer.
    private func finish() {
        state.withLock { $0.isOver = true }
    }

    private func perform(_ step: TLSResponse.Step, on writer: some ResponseWriter) async throws {
        switch step {
        case .informational(let status, let headers): try await writer.informational(status, headers)
        case .head(let status, let headers): try await writer.head(status, headers)
        case .body(let bytes): try await writer.body(bytes)
        case .repeated(let bytes, let count):
            for _ in 0..<count {
                try Task.checkCancellation()
                try await writer.body(bytes)
            }
        case .end(let trailers):
            finish()
            try await writer.end(trailers)
        case .wait(let gate):
            await gate.wait()
            try Task.checkCancellation()
        case .hold:
            await Gate().wait()
            try Task.checkCancellation()
        case .reset(let error):
            finish()
            try await writer.reset(error)
        case .goAway(let isProcessed): try await writer.goAway(isProcessed: isProcessed)
        case .cut:
            finish()
            try await writer.cut()
        case .close:
            finish()
            try await writer.close()
        }
    }
}
