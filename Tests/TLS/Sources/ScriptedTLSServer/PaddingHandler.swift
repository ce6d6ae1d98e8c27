import NIOCore

/// Pads outgoing DATA and HEADERS frames of HTTP/2 (RFC 9113, sections 6.1 and 6.2).
///
/// swift-nio-http2 reads padding, but doesn't write it. It doesn't count the padding against the flow-control windows
/// either, so this is for small bodies.
final class PaddingHandler: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let headSize = 9
    private static let paddedFlag: UInt8 = 0x8

    private let padding: UInt8
    private var pending = ByteBuffer()

    init(padding: UInt8) {
        self.padding = padding
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var part = unwrapOutboundIn(data)
        pending.writeBuffer(&part)
        var output = ByteBuffer()
        while let frame = nextFrame() { append(frame, to: &output) }
        context.write(wrapOutboundOut(output), promise: promise)
    }

    /// The bytes of the next complete frame.
    private func nextFrame() -> ByteBuffer? {
        let start = pending.readerIndex
        guard pending.readableBytes >= Self.headSize, let high = pending.getInteger(at: start, as: UInt8.self),
            let low = pending.getInteger(at: start + 1, as: UInt16.self)
        else { return nil }
        let frame = pending.readSlice(length: Self.headSize + (Int(high) << 16 | Int(low)))
        pending.discardReadBytes()
        return frame
    }

    private func append(_ frame: ByteBuffer, to output: inout ByteBuffer) {
        var frame = frame
        guard let kind = frame.getInteger(at: frame.readerIndex + 3, as: UInt8.self), kind <= 1,
            let head = frame.readBytes(length: Self.headSize)
        else { return _ = output.writeBuffer(&frame) }
        let size = frame.readableBytes + 1 + Int(padding)
        output.writeInteger(UInt8(size >> 16))
        output.writeInteger(UInt16(size & 0xFFFF))
        output.writeInteger(kind)
        output.writeInteger(head[4] | Self.paddedFlag)
        output.writeBytes(head[5...])
        output.writeInteger(padding)
        output.writeBuffer(&frame)
        output.writeRepeatingByte(0, count: Int(padding))
    }
}
