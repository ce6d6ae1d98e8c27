import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing
import WebSupport

@Suite("Slow downloads")
struct DownloadTests {
    @Test("A download takes longer than the time for the next request, which starts at its end")
    func slow() throws {
        let limits = ConnectionLimits(limitPerAddress: 10, requestTime: .seconds(60))
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(limits.handler())
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 1)).wait()
        let request = HTTPRequest(method: .get, scheme: "http", authority: "example.org", path: "/")
        try channel.writeInbound(HTTPRequestPart.head(request))
        try channel.writeInbound(HTTPRequestPart.end(nil))
        channel.write(HTTPResponsePart.head(HTTPResponse(status: .ok)), promise: nil)
        channel.write(HTTPResponsePart.body(ByteBuffer(string: "a large file")), promise: nil)
        channel.write(HTTPResponsePart.end(nil), promise: nil)
        // The client takes it slowly, so it isn't sent yet.
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive && limits.count == 1)
        channel.flush()
        channel.embeddedEventLoop.advanceTime(by: .seconds(59))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(!channel.isActive && limits.count == 0)
    }
}
