import BrowseMocks
#if canImport(Glibc)
import Glibc
#endif
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Testing

@testable import WebSupport

/// A stream must end when its client goes away; otherwise its page and view model live forever.
@Suite("Event streams over sockets", .timeLimit(.minutes(10)))
struct EventSocketTests {
    let clock = TestClock()
    let log = EventLog()
    let streams = OpenStreams(limit: 3)
    let endCount = Monitor(0)

    private func withServer(_ body: (Int, ServiceGroup) async throws -> Void) async throws {
        let router = Router()
        router.get("events") { [log, streams, clock, endCount] request, _ in
            EventStream.response(
                to: request,
                streaming: log.subscribe(),
                of: VisitorID(),
                in: streams,
                heartbeat: .seconds(15),
                clock: clock
            ) { change in if change < 0 { endCount.withLock { $0 += 1 } } }
        }
        let port = Monitor<Int?>(nil)
        var logger = Logger(label: "tests")
        logger.logLevel = .critical
        let app = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.withLock { $0 = channel.localAddress?.port } },
            logger: logger
        )
        let group = ServiceGroup(configuration: .init(services: [app], logger: logger))
        async let run: Void = group.run()
        try await waitUntil { port.value != nil }
        try await body(#require(port.value), group)
        await group.triggerGracefulShutdown()
        try await run
    }

    /// Opens a stream, and closes the connection when `body` returns.
    private func withStream(
        port: Int,
        requests: Int = 1,
        receiveBuffer: Int? = nil,
        _ body: (any Channel, inout NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator) async throws -> Void
    ) async throws {
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        if let receiveBuffer {
            bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: .init(receiveBuffer))
        }
        let client = try await bootstrap.connect(host: "127.0.0.1", port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
        try await client.executeThenClose { inbound, outbound in
            let request = "GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            try await outbound.write(ByteBuffer(string: String(repeating: request, count: requests)))
            var iterator = inbound.makeAsyncIterator()
            try await body(client.channel, &iterator)
        }
    }

    private func read(
        until text: String,
        _ iterator: inout NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    ) async throws -> String {
        var received = ""
        while !received.contains(text), let buffer = try await iterator.next(isolation: #isolation) {
            received += String(buffer: buffer)
        }
        return received
    }

    @Test("When the client closes the connection, the subscription ends without waiting for a heartbeat")
    func close() async throws {
        try await withServer { port, _ in
            try await withStream(port: port) { _, iterator in
                let head = try await read(until: "retry", &iterator)
                #expect(head.hasPrefix("HTTP/1.1 200 OK") && head.contains("Content-Type: text/event-stream"))
                log.append(name: "n", data: "hello")
                #expect(try await read(until: "\n\n", &iterator).contains("data: hello"))
                #expect(log.readerCount == 1 && streams.counts.open == 1)
            }
            try await waitUntil { endCount.value == 1 }
            #expect(log.readerCount == 0 && streams.counts.open == 0)
        }
    }

    @Test("A client that resets the connection or closes one direction ends the subscription too")
    func reset() async throws {
        try await withServer { port, _ in
            try await withStream(port: port) { channel, iterator in
                _ = try await read(until: "retry", &iterator)
                let options = try #require(channel as? any SocketOptionProvider)
                try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
            }
            try await waitUntil { endCount.value == 1 }
            try await withStream(port: port) { channel, iterator in
                _ = try await read(until: "retry", &iterator)
                try await channel.close(mode: .output).get()
                try await waitUntil { endCount.value == 2 }
            }
            #expect(log.readerCount == 0 && streams.counts.open == 0)
        }
    }

    @Test("A second request on the connection hides its end only until heartbeats fail")
    func pipelined() async throws {
        try await withServer { port, _ in
            try await withStream(port: port, requests: 20) { _, iterator in
                _ = try await read(until: "retry", &iterator)
            }
            try await advance { endCount.value == 1 }
            #expect(log.readerCount == 0)
        }
    }

    @Test("A client that stops reading is dropped when the buffers are full")
    func stuck() async throws {
        try await withServer { port, _ in
            try await withStream(port: port, receiveBuffer: 4096) { _, iterator in
                _ = try await read(until: "retry", &iterator)
                // More than the buffers of both sockets hold.
                log.append(name: "n", data: String(repeating: "x", count: 32 << 20))
                try await advance { endCount.value == 1 }
                #expect(streams.counts == .init(opened: 1, dropped: 1))
                #expect(log.readerCount == 0)
            }
        }
    }

    @Test("Shutdown ends all streams, and the server stops")
    func shutdown() async throws {
        try await withServer { port, group in
            try await withStream(port: port) { _, iterator in
                _ = try await read(until: "retry", &iterator)
                await group.triggerGracefulShutdown()
                #expect(try await read(until: "0\r\n\r\n", &iterator).contains("0\r\n\r\n"))
                let rest = try await iterator.next(isolation: #isolation)
                #expect(rest == nil)
            }
        }
        #expect(endCount.value == 1)
    }

    @Test("Beyond its limit, the server refuses streams, and those that are open go on")
    func limit() async throws {
        try await withServer { port, _ in
            try await withStream(port: port) { _, first in
                _ = try await read(until: "retry", &first)
                try await withStream(port: port) { _, second in
                    _ = try await read(until: "retry", &second)
                    try await withStream(port: port) { _, third in
                        _ = try await read(until: "retry", &third)
                        try await withStream(port: port) { _, fourth in
                            let head = try await read(until: "\r\n\r\n", &fourth)
                            #expect(head.hasPrefix("HTTP/1.1 503"))
                        }
                        log.append(name: "n", data: "all")
                        #expect(try await read(until: "all", &third).contains("all"))
                    }
                }
                #expect(try await read(until: "all", &first).contains("all"))
            }
            #expect(streams.counts.refused == 1)
        }
    }

    /// Advances by heartbeats until a condition holds.
    private func advance(until isDone: () -> Bool) async throws {
        while true {
            try await waitUntil { isDone() || clock.sleeperCount > 0 }
            if isDone() { return }
            await clock.advance(by: .seconds(15))
        }
    }
}
