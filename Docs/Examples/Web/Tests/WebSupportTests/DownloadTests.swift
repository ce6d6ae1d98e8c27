import BrowseMocks
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Testing
import WebSupport

@Suite("Slow downloads", .timeLimit(.minutes(10)))
struct DownloadTests {
    @Test("A download takes longer than the time for the next request, which then starts")
    func slow() async throws {
        let size = 32 << 20
        let limits = ConnectionLimits(limitPerAddress: 10, requestTime: .milliseconds(100))
        let router = Router()
        router.get("file") { _, _ in
            Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(repeating: 0x78, count: size)))
        }
        let port = Monitor<Int?>(nil)
        let logger = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }
        let app = Application(
            router: router,
            server: .http1(configuration: .init(additionalChannelHandlers: [limits.handler()])),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.withLock { $0 = channel.localAddress?.port } },
            logger: logger
        )
        let group = ServiceGroup(configuration: .init(services: [app], logger: logger))
        async let run: Void = group.run()
        try await waitUntil { port.value != nil }
        let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.socketOption(.so_rcvbuf), value: 4096)
            .connect(host: "127.0.0.1", port: try #require(port.value)) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        try await client.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: "GET /file HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))
            var count = 0
            var isFirst = true
            for try await part in inbound {
                count += part.readableBytes
                // Several times the limit, in which the client reads nothing.
                if isFirst { try await ContinuousClock().sleep(for: .milliseconds(600)) }
                isFirst = false
            }
            // The connection is closed when no further request arrives.
            #expect(count > size)
        }
        await group.triggerGracefulShutdown()
        try await run
    }
}
