import Foundation
import Synchronization

/// The stream of a page's updates to one browser.
///
/// It has no buffer: a slow browser gets the newest content when it has read the one before.
final class EventStream: Sendable {
    /// The browser took nothing during a whole heartbeat interval.
    struct SlowReader: Error {}
    /// Ends the stream; the closure that encodes a content can throw it, too.
    struct Ended: Error {}

    private struct State {
        var content: PageContent?
        var isBeatDue = false
        /// The last event, once the stream was ended.
        var ending: String?
        var isEnded = false
    }

    private let state = Mutex(State())
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    static func event(_ name: String, id: String? = nil, _ data: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        // Strings can be encoded, and JSON has no line breaks.
        let json = (try? encoder.encode(data)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
        return "\(id.map { "id: \($0)\n" } ?? "")event: \(name)\ndata: \(json)\n\n"
    }

    func end(_ event: String? = nil) {
        set { ($0.ending, $0.isEnded) = (event, true) }
    }

    /// Writes the events of contents until the stream ends; the connection must be closed if this throws.
    ///
    /// Heartbeats keep proxies from closing the stream, and reveal lost clients. They're events, so
    /// that a page without any learns that its connection is lost.
    func run(
        _ contents: some AsyncSequence<PageContent, Never> & Sendable,
        heartbeat: Duration,
        clock: any Clock<Duration>,
        encode: @escaping @Sendable (PageContent) async throws -> String?,
        write: @escaping @Sendable (String) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { [self] in
                for await content in contents { set { $0.content = content } }
                // The view model was released.
                end()
            }
            group.addTask { [self] in
                while true {
                    try await clock.sleep(for: heartbeat)
                    var isStuck = false
                    set { state in
                        isStuck = state.isBeatDue
                        state.isBeatDue = true
                    }
                    if isStuck { throw SlowReader() }
                }
            }
            group.addTask { [self] in
                // Sends the head of the response. Browsers reconnect after two seconds.
                try await write("retry: 2000\n\n")
                for await _ in signals {
                    let now = state.withLock { state in
                        defer { (state.content, state.isBeatDue) = (nil, false) }
                        return state
                    }
                    if let content = now.content, !now.isEnded, let event = try await encode(content) {
                        try await write(event)
                    } else if now.isBeatDue {
                        try await write(Self.event("beat", ""))
                    }
                    guard now.isEnded else { continue }
                    if let ending = now.ending { try await write(ending) }
                    throw Ended()
                }
                throw CancellationError()
            }
            do { for try await _ in group {} } catch is Ended {}
        }
    }

    private func set(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        signal.yield()
    }
}

/// The open streams of visitors.
///
/// Browsers open six HTTP/1.1 connections per server. If pages in six windows held a stream each, no other request would get
/// through, so a further stream ends the visitor's oldest one. That page opens a new one after a few seconds, so
/// many windows take turns.
final class OpenStreams: Sendable {
    private let streams = Mutex<[String: [EventStream]]>([:])
    private let limit = 4

    var count: Int { streams.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    func add(_ stream: EventStream, of visitor: String) {
        let replaced = streams.withLock { streams in
            streams[visitor, default: []].append(stream)
            return streams[visitor, default: []].dropLast(limit)
        }
        for stream in replaced { stream.end(EventStream.event("replaced", "")) }
    }

    func remove(_ stream: EventStream, of visitor: String) {
        streams.withLock { streams in
            streams[visitor]?.removeAll { $0 === stream }
            if streams[visitor]?.isEmpty == true { streams[visitor] = nil }
        }
    }

    func end(of visitor: String) {
        for stream in streams.withLock({ $0[visitor] ?? [] }) { stream.end() }
    }
}
