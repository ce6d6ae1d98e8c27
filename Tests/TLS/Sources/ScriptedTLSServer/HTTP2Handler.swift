import NIOCore
import NIOHPACK
import NIOHTTP2

/// Reads the request of an HTTP/2 stream and performs its scripted response.
final class HTTP2Handler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload

    private let connection: Connection
    private let parent: any Channel
    private let script = Script()
    private var request: TLSServer.Request?
    private var resetCode: Int?

    init(connection: Connection, parent: any Channel) {
        self.connection = connection
        self.parent = parent
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let frame):
            if request == nil { receive(frame.headers) }
            if frame.endStream { start(context) }
        case .data(let frame):
            if case .byteBuffer(let part) = frame.data { request?.body += part.readableBytesView }
            if frame.endStream { start(context) }
        default:
            break
        }
    }

    private func receive(_ headers: HPACKHeaders) {
        request = TLSServer.Request(
            version: .http2,
            method: headers.first(name: ":method") ?? "",
            target: headers.first(name: ":path") ?? "",
            headers: headers.map { (name: $0.name, value: $0.value) },
            body: [],
            connection: connection.index
        )
    }

    private func start(_ context: ChannelHandlerContext) {
        guard let request else { return }
        let response = connection.core.respond(request)
        script.start(response, on: HTTP2Writer(channel: context.channel, parent: parent, connection: connection))
        connection.core.log.record(.request(request))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? NIOHTTP2Errors.StreamClosed {
            resetCode = Int(UInt32(http2ErrorCode: error.errorCode))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        guard script.abandon() else { return }
        if let resetCode {
            connection.core.log.record(.streamReset(connection: connection.index, code: resetCode))
        } else {
            connection.core.log.record(.abandoned(connection: connection.index))
        }
    }
}

/// Writes the frames of an HTTP/2 response.
private struct HTTP2Writer: ResponseWriter {
    let channel: any Channel
    let parent: any Channel
    let connection: Connection

    func informational(_ status: Int, _ headers: [(String, String)]) async throws {
        try await head(status, headers)
    }

    func head(_ status: Int, _ headers: [(String, String)]) async throws {
        var fields = HPACKHeaders([(":status", "\(status)")])
        // HTTP/2 doesn't allow connection-specific fields (RFC 9113, section 8.2.2).
        for (name, value) in headers where name.lowercased() != "connection" {
            fields.add(name: name.lowercased(), value: value)
        }
        try await write(.headers(.init(headers: fields)))
    }

    func body(_ bytes: [UInt8]) async throws {
        try await write(.data(.init(data: .byteBuffer(ByteBuffer(bytes: bytes)))))
    }

    func end(_ trailers: [(String, String)]) async throws {
        if trailers.isEmpty {
            try await write(.data(.init(data: .byteBuffer(ByteBuffer()), endStream: true)))
        } else {
            try await write(.headers(.init(headers: HPACKHeaders(trailers), endStream: true)))
        }
    }

    func reset(_ error: TLSResponse.StreamError) async throws {
        try await write(.rstStream(error.code))
    }

    func goAway(isProcessed: Bool) async throws {
        let last = isProcessed ? HTTP2StreamID(2_147_483_647) : .rootStream
        let payload = HTTP2Frame.FramePayload.goAway(lastStreamID: last, errorCode: .noError, opaqueData: nil)
        try await parent.writeAndFlush(HTTP2Frame(streamID: .rootStream, payload: payload)).get()
    }

    func cut() async throws { try await connection.cut(parent, withReset: false) }
    func close() async throws { try await parent.close().get() }

    private func write(_ payload: HTTP2Frame.FramePayload) async throws {
        try await channel.writeAndFlush(payload).get()
    }
}

extension TLSResponse.StreamError {
    fileprivate var code: HTTP2ErrorCode {
        switch self {
        case .noError: .noError
        case .protocolError: .protocolError
        case .internalError: .internalError
        case .refusedStream: .refusedStream
        case .cancel: .cancel
        case .enhanceYourCalm: .enhanceYourCalm
        }
    }
}
