import BrowseMocks
import Synchronization
import Testing

@testable import WebSupport

@Suite("Server-sent events")
struct EventTests {
    @Test("Any text arrives as the data of one event", arguments: 0..<200)
    func encoding(_ seed: UInt64) {
        var random = Numbers(seed: seed)
        let pieces = [
            "\n", "\r", "\r\n", "\n\n", "a", " ", ":", "data: x", "id: 7", "event: y", "\u{2028}", "\u{85}", "한", "",
        ]
        let text = (0..<8).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        let stream = ":\n\n" + ServerSentEvent(id: "3", name: "rows", data: text).encoded
        #expect(
            Browser.events(in: stream) == [
                .init(id: "3", name: "rows", data: Browser.lines(of: text).joined(separator: "\n"))
            ]
        )
    }

    @Test("A name can't begin another field")
    func name() {
        let encoded = ServerSentEvent(id: "\n", name: "a\ndata: b\r\nid: 1\r\n", data: "").encoded
        #expect(Browser.events(in: encoded) == [.init(id: "", name: "adata: bid: 1", data: "")])
    }

    @Test("A reader gets the events after its position, in order")
    func resume() async {
        let log = EventLog()
        for number in 1...5 { log.append(name: "n", data: "\(number)") }
        #expect(await read(log.subscribe(after: 2)) == ["3", "4", "5"])
        #expect(await read(log.subscribe(after: 0)) == ["1", "2", "3", "4", "5"])
        let next = log.subscribe()
        log.append(name: "n", data: "6")
        #expect(await read(next) == ["6"])
    }

    @Test("A position before the oldest event, after the last one, or from elsewhere is a gap")
    func gaps() async {
        let log = EventLog(limit: 3)
        for number in 1...5 { log.append(name: "n", data: "\(number)") }
        #expect(await read(log.subscribe(after: 2)) == ["3", "4", "5"])
        for position in [1, 0, -1, 6, .max, .min] { #expect(await log.subscribe(after: position).next() == .end) }
        for number in 2...5 { #expect(log.number(of: log.id(of: number)) == number) }
        let foreign = [
            log.id(of: 1), log.id(of: 6), log.id(of: -1), EventLog().id(of: 3), "", "3", ".3", log.id(of: 3) + "x",
            log.id(of: 3).uppercased() + ".", String(log.id(of: 3).dropLast()),
        ]
        for id in foreign { #expect(log.number(of: id) == nil, "\(id)") }
    }

    @Test("A text for one reader precedes the events, and others don't get it")
    func first() async {
        let log = EventLog()
        let (first, second) = (log.subscribe(first: "first"), log.subscribe())
        log.append(name: "n", data: "1")
        #expect(await first.next() == .text("first"))
        #expect(await read(first) == ["1"])
        #expect(await read(second) == ["1"])
    }

    @Test("The log is bounded in bytes, but keeps the newest event")
    func byteLimit() async {
        let log = EventLog(byteLimit: 100)
        for _ in 0..<50 { log.append(name: "n", data: String(repeating: "x", count: 20)) }
        #expect(
            log.guarded.withLock { $0.byteCount <= 100 && $0.byteCount == $0.texts.reduce(0) { $0 + $1.utf8.count } }
        )
        log.append(name: "n", data: String(repeating: "x", count: 500))
        #expect(await read(log.subscribe(after: 50)).count == 1)
        #expect(await log.subscribe(after: 49).next() == .end)
    }

    @Test("A reader that falls behind gets a gap, and others don't notice")
    func slowReader() async {
        let log = EventLog(limit: 2)
        let (slow, fast) = (log.subscribe(), log.subscribe())
        for number in 1...3 {
            log.append(name: "n", data: "\(number)")
            #expect(await read(fast) == ["\(number)"])
        }
        #expect(await slow.next() == .end)
    }

    @Test("Readers see every event in order, or a gap, whatever happens", arguments: 0..<50)
    func model(_ seed: UInt64) async {
        var random = Numbers(seed: seed)
        let limit = Int.random(in: 1...6, using: &random)
        let log = EventLog(limit: limit)
        var readers: [(subscription: EventSubscription, position: Int)] = []
        var last = 0
        for _ in 0..<200 {
            switch Int.random(in: 0...3, using: &random) {
            case 0:
                last += 1
                log.append(name: "n", data: "\(last)")
            case 1:
                let position = Int.random(in: max(0, last - 8)...last, using: &random)
                readers.append((log.subscribe(after: position), position))
            default:
                guard let index = readers.indices.randomElement(using: &random), readers[index].position < last else {
                    continue
                }
                let (subscription, position) = readers[index]
                if last - position > limit {
                    #expect(await subscription.next() == .end)
                    readers.remove(at: index)
                } else {
                    #expect(await read(subscription) == (position + 1...last).map(String.init))
                    readers[index].position = last
                }
            }
        }
        #expect(log.lastID == last && log.readerCount == readers.count)
    }

    @Test("Waiting readers are woken by an event, an end, and a cancellation", .timeLimit(.minutes(10)))
    func waiting() async {
        let log = EventLog()
        for change in ["append", "end", "replace", "finish", "cancel"] {
            let log = change == "finish" ? EventLog() : log
            let subscription = log.subscribe()
            let task = Task { await subscription.next() }
            switch change {
            case "append": log.append(name: "n", data: "x")
            case "end": subscription.end()
            case "replace": subscription.replace()
            case "finish": log.finish()
            default: task.cancel()
            }
            let step = await task.value
            switch change {
            case "append": #expect(step == .text("id: \(log.id(of: 1))\nevent: n\ndata: x\n\n"))
            case "replace": #expect(step == .replaced)
            default: #expect(step == .end)
            }
        }
    }

    @Test("A finished log delivers the events before its end")
    func finish() async {
        let log = EventLog()
        let subscription = log.subscribe()
        log.append(name: "n", data: "last")
        log.finish()
        log.append(name: "n", data: "after the end")
        #expect(await read(subscription) == ["last"])
        #expect(await subscription.next() == .end)
        #expect(await log.subscribe().next() == .end)
    }

    @Test("A released subscription leaves nothing in the log")
    func release() {
        let log = EventLog()
        var subscription: EventSubscription? = log.subscribe()
        #expect(log.readerCount == 1)
        _ = subscription
        subscription = nil
        #expect(log.readerCount == 0)
    }

    @Test("A further stream of a visitor ends the oldest one, and no other visitor's")
    func openStreams() async {
        let streams = OpenStreams(limit: 100, limitPerVisitor: 2)
        let log = EventLog()
        let (visitor, other) = (VisitorID(), VisitorID())
        let own = (0..<3).map { _ in log.subscribe() }
        let foreign = log.subscribe()
        #expect(streams.add(foreign, of: other))
        for stream in own { #expect(streams.add(stream, of: visitor)) }
        #expect(await own[0].next() == .replaced)
        log.append(name: "n", data: "x")
        for stream in [own[1], own[2], foreign] { #expect(await read(stream) == ["x"]) }
        #expect(streams.counts == .init(open: 4, opened: 4, replaced: 1))
        for stream in own { streams.remove(stream, of: visitor) }
        #expect(streams.counts.open == 1)
    }

    @Test("The server has a limit of streams")
    func streamLimit() {
        let streams = OpenStreams(limit: 1)
        let (visitor, log) = (VisitorID(), EventLog())
        let stream = log.subscribe()
        #expect(streams.hasRoom() && streams.add(stream, of: visitor))
        #expect(!streams.hasRoom() && !streams.add(log.subscribe(), of: visitor))
        streams.remove(stream, of: visitor)
        #expect(streams.hasRoom())
        #expect(streams.counts == .init(opened: 1, refused: 1))
    }

    private func read(_ subscription: EventSubscription) async -> [String] {
        guard case .text(let text) = await subscription.next() else { return ["not events"] }
        return Browser.events(in: text).map(\.data)
    }
}

/// Reads an event stream as a browser does (HTML Standard, section 9.2.6).
enum Browser {
    struct Event: Equatable {
        var id = ""
        var name = "message"
        var data = ""
    }

    static func events(in stream: String) -> [Event] {
        var (events, event, lines) = ([Event](), Event(), [String]())
        for line in Self.lines(of: stream) {
            if line.isEmpty {
                event.data = lines.joined(separator: "\n")
                if !lines.isEmpty { events.append(event) }
                (event, lines) = (Event(id: event.id), [])
                continue
            }
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count == 2 ? parts[1].dropFirst(parts[1].first == " " ? 1 : 0) : ""
            switch parts[0] {
            case "id": event.id = String(value)
            case "event": event.name = String(value)
            case "data": lines.append(String(value))
            default: break
            }
        }
        return events
    }

    /// Separates lines at CRLF, LF, and CR.
    static func lines(of text: String) -> [String] {
        var (lines, previous) = ([[UInt8]()], UInt8(0))
        for byte in text.utf8 {
            switch byte {
            case 0x0A where previous == 0x0D: break
            case 0x0A, 0x0D: lines.append([])
            default: lines[lines.count - 1].append(byte)
            }
            previous = byte
        }
        return lines.map { String(decoding: $0, as: UTF8.self) }
    }
}
