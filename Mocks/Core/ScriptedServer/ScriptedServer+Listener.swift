import BrowseData
public import Foundation
import Synchronization

extension ScriptedServer {
    /// Serves the script on a local port, for UI tests and other processes.
    ///
    /// - Returns: The listener, which stops when it's deallocated.
    /// - Throws: ``LoopbackServer/Failure`` if the system can't provide a socket, port, or thread.
    public func listen() throws -> Listener {
        try Listener(self)
    }

    /// A scripted server on a port of 127.0.0.1.
    ///
    /// Truncated, throttled, and chunked bodies are sent as such on its connections.
    public final class Listener: Sendable {
        private let server: LoopbackServer
        private let answers: Answers
        /// The address of the server, such as `http://127.0.0.1:49152`.
        public let url: URL

        fileprivate init(_ script: ScriptedServer) throws {
            let answers = Answers(script)
            let server = try LoopbackServer(isRecording: false) { answers.respond(to: $0) }
            guard let url = URL(string: server.origin) else {
                throw LoopbackServer.Failure(operation: "bind", code: 0)
            }
            self.server = server
            self.answers = answers
            self.url = url
        }

        deinit {
            answers.listenerWasReleased()
            stop()
        }

        /// Closes the port and all connections; discards held responses.
        public func stop() {
            answers.cancel()
            server.stop()
        }
    }

    /// The tasks that wait for the script's responses, for the threads of the connections.
    private final class Answers: Sendable {
        private struct State {
            var tasks: [Int: Task<Void, Never>] = [:]
            var lastID = 0
            var isCanceled = false
        }

        private let server: ScriptedServer
        private let state = Mutex(State())

        init(_ server: ScriptedServer) {
            self.server = server
        }

        func cancel() {
            let tasks = state.withLock { state in
                state.isCanceled = true
                return state.tasks.values.map(\.self)
            }
            for task in tasks { task.cancel() }
        }

        /// Notes a listener that ended without ``Listener/stop()``, such as that of `listen().url`.
        func listenerWasReleased() {
            guard !state.withLock({ $0.isCanceled }) else { return }
            server.script.withLock { script in
                guard script.requests.isEmpty else { return }
                script.idleHint = { ": the listener was released before any. Keep the result of listen()." }
            }
        }

        func respond(to request: LoopbackServer.Request) -> LoopbackResponse {
            guard let request = HTTPClient.Request(request) else {
                server.reportUnsupported("\(request.method) \(request.target)")
                // Without a body, because the response to HEAD has none.
                return LoopbackResponse(status: 501)
            }
            let gate = LoopbackGate()
            let steps = Mutex<[LoopbackResponse.Step]>([.reset])
            let shared = Shared(steps: steps)
            run {
                let answer = await self.server.answer(to: request)
                shared.steps.withLock { $0 = self.steps(of: answer) }
                gate.open()
            }
            return LoopbackResponse(steps: [.holdUntil(gate), .deferred { shared.steps.withLock { $0 } }])
        }

        private final class Shared: Sendable {
            let steps: Mutex<[LoopbackResponse.Step]>

            init(steps: consuming Mutex<[LoopbackResponse.Step]>) {
                self.steps = steps
            }
        }

        /// Runs a task until it ends or the listener stops.
        private func run(_ body: @escaping @Sendable () async -> Void) {
            state.withLock { state in
                guard !state.isCanceled else { return }
                state.lastID += 1
                let id = state.lastID
                state.tasks[id] = Task {
                    await body()
                    self.state.withLock { $0.tasks[id] = nil }
                }
            }
        }

        private func steps(of answer: Answer) -> [LoopbackResponse.Step] {
            guard case .success(let response) = answer.result else { return [.reset] }
            let transfer = answer.transfer
            var headers = response.headers.fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            let body = Array(response.body)
            let length = response.headers["Content-Length"]
            if transfer.chunkSize != nil {
                headers.removeAll { $0.0 == "content-length" }
                headers.append(("Transfer-Encoding", "chunked"))
            } else if length == nil, !body.isEmpty || ![204, 304].contains(response.status) {
                headers.append(("Content-Length", "\(body.count)"))
            }
            let head = LoopbackResponse(status: response.status, headers: headers).steps
            let isCut = transfer.truncation.map { $0 < body.count } ?? false
            let sent = isCut ? Array(body.prefix(transfer.truncation ?? 0)) : body
            var steps = head + pieces(of: sent, transfer)
            if isCut {
                steps.append(.close)
            } else if transfer.chunkSize != nil {
                steps.append(.text("0\r\n\r\n"))
            }
            return steps
        }

        private func pieces(of body: [UInt8], _ transfer: Transfer) -> [LoopbackResponse.Step] {
            // Ten pieces per second are enough to simulate a slow network.
            let size = transfer.bytesPerSecond.map { max(1, $0 / 10) } ?? transfer.chunkSize ?? max(1, body.count)
            var steps: [LoopbackResponse.Step] = []
            for start in stride(from: 0, to: body.count, by: size) {
                let piece = Array(body[start..<min(start + size, body.count)])
                if let rate = transfer.bytesPerSecond { steps += [pause(for: Double(piece.count) / Double(rate))] }
                guard transfer.chunkSize != nil else {
                    steps.append(.bytes(piece))
                    continue
                }
                for start in stride(from: 0, to: piece.count, by: transfer.chunkSize ?? 1) {
                    let chunk = piece[start..<min(start + (transfer.chunkSize ?? 1), piece.count)]
                    steps.append(
                        .bytes(Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8))
                    )
                }
            }
            return steps
        }

        /// Returns a step that waits on the server's clock, starting when the connection reaches
        /// it.
        private func pause(for seconds: Double) -> LoopbackResponse.Step {
            .deferred {
                let gate = LoopbackGate()
                self.run {
                    if (try? await self.server.clock.sleep(for: .seconds(seconds))) != nil { gate.open() }
                }
                return [.holdUntil(gate)]
            }
        }
    }
}

extension HTTPClient.Request {
    /// Converts a received request; `nil` if its method isn't an `HTTPMethod`, or its URL is
    /// invalid.
    fileprivate init?(_ request: LoopbackServer.Request) {
        guard let method = HTTPMethod(rawValue: request.method),
            let url = URL(string: "http://\(request.header("Host") ?? "127.0.0.1")\(request.target)")
        else { return nil }
        self.init(method: method, url: url, body: request.body.isEmpty ? nil : Data(request.body), endpoint: "")
        for header in request.headers { headers[header.name] = header.value }
    }
}
