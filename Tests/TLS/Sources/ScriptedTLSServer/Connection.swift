import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization

/// One accepted TCP connection.
final class Connection: Sendable {
    let core: ServerCore
    let index: Int
    /// Whether the script closed the connection.
    let isClosedByScript = Mutex(false)

    init(core: ServerCore, index: Int) {
        self.core = core
        self.index = index
    }

    /// Adds the handlers of the negotiated version.
    func configure(_ channel: any Channel, isHTTP2: Bool) -> EventLoopFuture<Void> {
        guard isHTTP2 else {
            return channel.eventLoop.makeCompletedFuture {
                let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)
                try channel.pipeline.syncOperations.addHandlers([
                    ByteToMessageHandler(decoder), HTTP1Handler(connection: self),
                ])
            }
        }
        let options = core.options
        return channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            if let padding = options.padding { try pipeline.addHandler(PaddingHandler(padding: padding)) }
            var connection = NIOHTTP2Handler.ConnectionConfiguration()
            connection.initialSettings = [
                HTTP2Setting(parameter: .maxConcurrentStreams, value: options.concurrentStreams),
                HTTP2Setting(parameter: .maxHeaderListSize, value: HPACKDecoder.defaultMaxHeaderListSize),
                HTTP2Setting(parameter: .initialWindowSize, value: options.window),
            ]
            _ = try pipeline.configureHTTP2Pipeline(
                mode: .server,
                connectionConfiguration: connection,
                streamConfiguration: .init()
            ) { stream in
                stream.eventLoop.makeCompletedFuture {
                    try stream.pipeline.syncOperations.addHandler(HTTP2Handler(connection: self, parent: channel))
                }
            }
        }
    }

    /// Closes the TCP connection from below TLS, so that no closure alert is sent.
    func cut(_ channel: any Channel, withReset isReset: Bool) async throws {
        isClosedByScript.withLock { $0 = true }
        try await channel.triggerUserOutboundEvent(isReset ? SocketHandler.End.reset : .close).get()
    }
}

/// A channel handler below TLS that closes the socket on request, or after a number of bytes.
final class SocketHandler: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    enum End: Sendable {
        case close, reset
    }

    private let connection: Connection
    /// The number of bytes that may still be sent; `nil` is unlimited.
    private var remaining: Int?

    init(connection: Connection) {
        self.connection = connection
        remaining = connection.core.options.byteLimit(connection.index)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard let limit = remaining else { return context.write(data, promise: promise) }
        var bytes = unwrapOutboundIn(data)
        let part = bytes.readSlice(length: min(limit, bytes.readableBytes)) ?? ByteBuffer()
        remaining = limit - part.readableBytes
        context.writeAndFlush(wrapOutboundOut(part), promise: promise)
        if remaining == 0 { end(connection.core.options.resetsAtByteLimit ? .reset : .close, context, promise: nil) }
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let end = event as? End else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        self.end(end, context, promise: promise)
    }

    private func end(_ end: End, _ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        if end == .reset, let socket = context.channel as? any SocketOptionProvider {
            // Closing a socket that doesn't linger resets the connection.
            let context = NIOLoopBound(context, eventLoop: context.eventLoop)
            socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in
                context.value.close(promise: promise)
            }
        } else {
            context.close(promise: promise)
        }
    }
}
