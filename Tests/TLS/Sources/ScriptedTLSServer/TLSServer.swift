import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL
import NIOTLS
import Synchronization

/// A server on 127.0.0.1 with scripted responses over TLS and HTTP/1.1 or HTTP/2.
///
/// It stops when it's deallocated. `respond` runs on the server's threads and must not retain the server.
public final class TLSServer: Sendable {
    /// A version of HTTP, by its ALPN name.
    public enum Version: String, CaseIterable, Sendable {
        case http1 = "http/1.1"
        case http2 = "h2"
    }

    /// A request as it was received.
    public struct Request: Sendable {
        /// The negotiated version.
        public var version: Version
        /// The method.
        public var method: String
        /// The path and the query, as they were sent.
        public var target: String
        /// The header fields; over HTTP/2 the pseudo-header fields too.
        public var headers: [(name: String, value: String)]
        /// The body in bytes.
        public var body: [UInt8]
        /// The connection, counted from 0 in the order of acceptance.
        public var connection: Int

        /// Returns the value of the first header field with this name, ignoring case.
        public func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }
    }

    /// An observation of the server.
    public enum Event: Sendable {
        /// A TCP connection was accepted.
        case connected(Int)
        /// A complete request was received.
        case request(Request)
        /// The peer reset a stream before its response was complete; the code is that of RFC 9113, section 7.
        case streamReset(connection: Int, code: Int)
        /// A connection was closed while a response was incomplete, other than by the script.
        case abandoned(connection: Int)
        /// A connection ended, by either side.
        case disconnected(Int)
    }

    /// The properties of a server that aren't part of a response.
    public struct Options: Sendable {
        /// The versions of HTTP that the server offers.
        public var versions: [Version] = [.http1]
        /// The number of padding bytes in DATA and HEADERS frames of HTTP/2, 0 to 255.
        public var padding: UInt8?
        /// The initial HTTP/2 flow-control window of the client's streams, in bytes.
        public var window = 65_535
        /// The maximum number of HTTP/2 streams per connection.
        public var concurrentStreams = 100
        /// Whether the server supports only TLS 1.1, which current clients reject.
        public var isObsolete = false
        /// Whether the server accepts connections without completing handshakes.
        public var isSilent = false
        /// Returns the number of bytes after which the socket of a connection closes; `nil` is unlimited.
        public var byteLimit: @Sendable (_ connection: Int) -> Int? = { _ in nil }
        /// Whether such a connection is reset rather than closed.
        public var resetsAtByteLimit = false

        /// Creates the options of a server for one version of HTTP.
        public init(_ version: Version) {
            versions = [version]
        }
    }

    private let channel: any Channel
    private let core: ServerCore

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - certificate: The path of a PEM file with the certificate chain.
    ///   - key: The path of a PEM file with the private key.
    ///   - options: The versions of HTTP and their settings.
    ///   - respond: Returns the response to a request.
    public init(
        certificate: String,
        key: String,
        options: Options,
        respond: @escaping @Sendable (Request) -> TLSResponse
    ) async throws {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
        )
        // A client that isn't reading answers no closure alert.
        configuration.shutdownTimeout = .milliseconds(10)
        configuration.applicationProtocols = options.versions.map(\.rawValue)
        if options.isObsolete {
            configuration.minimumTLSVersion = .tlsv1
            configuration.maximumTLSVersion = .tlsv11
        }
        let context = try NIOSSLContext(configuration: configuration)
        let core = ServerCore(options: options, respond: respond)
        self.core = core
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = core.open(channel)
                    if options.isSilent { return }
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(SocketHandler(connection: connection))
                    try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    try pipeline.addHandler(
                        ApplicationProtocolNegotiationHandler { result, channel in
                            connection.configure(channel, isHTTP2: result == .negotiated("h2"))
                        }
                    )
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
    }

    deinit {
        channel.close(promise: nil)
        core.stop()
    }

    /// The TCP port that the server listens on.
    public var port: Int { channel.localAddress?.port ?? 0 }

    /// All observations so far.
    public var events: [Event] { core.log.events }

    /// All complete requests so far.
    public var requests: [Request] { events.requests }

    /// The number of connections that were accepted so far.
    public var connectionCount: Int { events.count { if case .connected = $0 { true } else { false } } }

    /// Waits until the observations meet a condition, or the task is canceled.
    public func wait(until isMet: @escaping @Sendable ([Event]) -> Bool) async {
        await core.log.wait(until: isMet)
    }

    /// Waits until `count` complete requests have arrived.
    public func waitForRequests(_ count: Int) async {
        await wait { $0.requests.count >= count }
    }

    /// Waits until the client has reset or disconnected `count` incomplete responses.
    public func waitForAbandonment(_ count: Int = 1) async {
        await wait { $0.count(where: \.isAbandonment) >= count }
    }
}

extension TLSServer.Event {
    /// Whether the client abandoned a response.
    public var isAbandonment: Bool {
        switch self {
        case .streamReset, .abandoned: true
        case .connected, .request, .disconnected: false
        }
    }
}

extension [TLSServer.Event] {
    /// The requests among the observations.
    public var requests: [TLSServer.Request] {
        compactMap { if case .request(let request) = $0 { request } else { nil } }
    }
}
