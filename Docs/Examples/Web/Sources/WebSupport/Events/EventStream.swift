/// Writes the events of a subscription to a response, with heartbeats.
public struct EventStream: Sendable {
    /// The reader took nothing during a whole heartbeat interval.
    struct SlowReader: Error {}

    let subscription: EventSubscription
    /// The interval of heartbeats. They keep proxies from closing the stream, and reveal lost clients.
    var heartbeat = Duration.seconds(15)
    let clock: any Clock<Duration>

    /// Writes events until the stream ends.
    ///
    /// - Parameter write: Writes to the response, and suspends while its buffers are full.
    /// - Throws: ``SlowReader``, errors of `write`, and `CancellationError`. The connection must be closed.
    func run(_ write: @escaping @Sendable (String) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await writeSteps(write) }
            group.addTask {
                while true {
                    try await clock.sleep(for: heartbeat)
                    guard subscription.beat() else { throw SlowReader() }
                }
            }
            try await group.next()
        }
    }

    private func writeSteps(_ write: @Sendable (String) async throws -> Void) async throws {
        // Sends the head of the response. Browsers reconnect after two seconds.
        try await write("retry: 2000\n\n")
        while true {
            switch await subscription.next() {
            case .text(let text): try await write(text)
            case .heartbeat: try await write(ServerSentEvent.heartbeat)
            case .replaced:
                try await write(ServerSentEvent(name: "replaced", data: "").encoded)
                return
            case .end:
                try Task.checkCancellation()
                return
            }
        }
    }
}
