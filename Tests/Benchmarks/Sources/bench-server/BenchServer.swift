import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Serves ``Followers`` on a free port of 127.0.0.1, which it prints, until its standard input ends.
@main
struct BenchServer {
    static func main() async throws {
        let bodies = Followers().pages.map(ByteBuffer.init(string:))
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let server = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 64)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.configureHTTPServerPipeline()
                    let port = channel.localAddress?.port ?? 0
                    try pipeline.addHandler(Handler(bodies: bodies, origin: "http://127.0.0.1:\(port)"))
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        // Unlike `print`, this isn't buffered if the output is a pipe.
        try? FileHandle.standardOutput.write(contentsOf: Data("\(server.localAddress?.port ?? 0)\n".utf8))
        // The parent has the other end, which closes when the parent ends or is killed.
        while readLine() != nil {}
        try await server.close()
        try await group.shutdownGracefully()
    }
}
