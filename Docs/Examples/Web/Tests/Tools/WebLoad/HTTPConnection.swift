import NIOCore
import NIOHTTP1
import NIOPosix

/// A keep-alive connection to a server, which sends one request at a time.
struct HTTPConnection: ~Copyable {
    typealias Parts = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    /// A response whose body was read and discarded.
    struct Response {
        let status: Int
        let headers: HTTPHeaders
        let body: ByteBuffer
    }

    private let outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>
    private var inbound: NIOAsyncChannelInboundStream<HTTPClientResponsePart>.AsyncIterator
    private let host: String

    /// Connects, runs a closure, and closes the connection.
    static func open<Result: Sendable>(
        to server: Address,
        _ body: @escaping @Sendable (inout HTTPConnection) async throws -> Result
    ) async throws -> Result {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: server.host, port: server.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHTTPClientHandlers()
                    return try Parts(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var connection = HTTPConnection(
                outbound: outbound,
                inbound: inbound.makeAsyncIterator(),
                host: "\(server.host):\(server.port)"
            )
            return try await body(&connection)
        }
    }

    /// Sends a request and reads the response.
    mutating func get(_ path: String, cookie: String? = nil) async throws -> Response {
        let head = try await open(path, cookie: cookie)
        var body = ByteBuffer()
        while let chunk = try await nextChunk() { body.writeImmutableBuffer(chunk) }
        return Response(status: Int(head.status.code), headers: head.headers, body: body)
    }

    /// Sends a request and reads the head of the response; ``nextChunk()`` reads the body.
    mutating func open(_ path: String, cookie: String? = nil) async throws -> HTTPResponseHead {
        var headers: HTTPHeaders = ["Host": host, "Accept": "*/*", "Accept-Language": "en"]
        if let cookie { headers.add(name: "Cookie", value: cookie) }
        try await outbound.write(.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: headers)))
        try await outbound.write(.end(nil))
        guard case .head(let head) = try await inbound.next(isolation: #isolation) else {
            throw LoadError.disconnected(path)
        }
        return head
    }

    /// Returns the next part of the body; `nil` at its end.
    mutating func nextChunk() async throws -> ByteBuffer? {
        switch try await inbound.next(isolation: #isolation) {
        case .body(let chunk): chunk
        case .end: nil
        case .head, nil: throw LoadError.disconnected("the body")
        }
    }
}

/// Where a server listens.
struct Address: Hashable, Sendable {
    let host: String
    let port: Int
}

/// An error of a measurement.
enum LoadError: Error {
    case disconnected(String)
    case unexpectedStatus(Int, String)
    case serverEnded(String)
    case missingMetric(String)
}
