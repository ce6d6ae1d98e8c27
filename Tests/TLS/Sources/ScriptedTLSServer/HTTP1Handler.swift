import NIOCore
import NIOHTTP1
import Synchronization

/// Reads the requests of an HTTP/1.1 connection and performs their scripted responses.
final class HTTP1Handler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let connection: Connection
    private var request: TLSServer.Request?
    private var script: Script?

    init(connection: Connection) {
        self.connection = connection
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            request = TLSServer.Request(
                version: .http1,
                method: head.method.rawValue,
                target: head.uri,
                headers: head.headers.map { (name: $0.name, value: $0.value) },
                body: [],
                connection: connection.index
            )
        case .body(let part):
            request?.body += part.readableBytesView
        case .end:
            guard let request else { return }
            let script = Script()
            self.script = script
            let response = connection.core.respond(request)
            script.start(response, on: HTTP1Writer(channel: context.channel, connection: connection))
            connection.core.log.record(.request(request))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if script?.abandon() == true { connection.core.log.record(.abandoned(connection: connection.index)) }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

/// Writes the bytes of HTTP/1.1 responses.
private final class HTTP1Writer: ResponseWriter {
    private let channel: any Channel
    private let connection: Connection
    private let isChunked = Mutex(false)

    init(channel: any Channel, connection: Connection) {
        self.channel = channel
        self.connection = connection
    }

    func informational(_ status: Int, _ headers: [(String, String)]) async throws {
        try await write(Self.head(status, headers))
    }

    func head(_ status: Int, _ headers: [(String, String)]) async throws {
        let isFramed = headers.contains { name, value in
            name.lowercased() == "content-length" || (name.lowercased() == "connection" && value == "close")
        }
        isChunked.withLock { $0 = !isFramed }
        try await write(Self.head(status, headers + (isFramed ? [] : [("transfer-encoding", "chunked")])))
    }

    func body(_ bytes: [UInt8]) async throws {
        guard isChunked.withLock({ $0 }) else { return try await write(bytes) }
        try await write(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8))
    }

    func end(_ trailers: [(String, String)]) async throws {
        guard isChunked.withLock({ $0 }) else { return }
        let fields = trailers.map { "\($0): \($1)\r\n" }.joined()
        try await write(Array("0\r\n\(fields)\r\n".utf8))
    }

    func reset(_ error: TLSResponse.StreamError) async throws { try await connection.cut(channel, withReset: true) }
    func goAway(isProcessed: Bool) async throws {}
    func cut() async throws { try await connection.cut(channel, withReset: false) }
    func close() async throws { try await channel.close().get() }

    private func write(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    private static func head(_ status: Int, _ headers: [(String, String)]) -> [UInt8] {
        let fields = headers.map { "\($0): \($1)\r\n" }.joined()
        return Array("HTTP/1.1 \(status) Status\r\n\(fields)\r\n".utf8)
    }
}
