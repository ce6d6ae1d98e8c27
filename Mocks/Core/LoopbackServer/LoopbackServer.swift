/// An HTTP/1.1 server on raw sockets, at 127.0.0.1 or ::1, that can also violate the protocol.
///
/// A port is used only once, as far as possible, so that late requests to a stopped server don't
/// arrive at another. Each connection has its own thread. `respond` runs on these threads,
/// concurrently for different connections. If it retains the server, only ``stop()`` ends the
/// server.
public final class LoopbackServer: Sendable {
    /// One header field of a request, as sent by the client.
    public struct Header: Sendable, Equatable {
        /// The field name, capitalized as sent.
        public var name: String

        /// The field value without surrounding spaces and tabs.
        public var value: String

        /// Creates a header field from its name and value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A complete request, as sent by the client.
    public struct Request: Sendable, Equatable {
        /// The request method, for example `GET`.
        public var method: String

        /// The raw request target: path and query, exactly as sent.
        public var target: String

        /// The header fields, in order.
        public var headers: [Header]

        /// The body, without chunked coding.
        public var body: [UInt8]

        /// The number of the request's connection; connections are counted from 0 in the order of
        /// acceptance.
        public var connection: Int

        /// Returns the value of the first header field with a name, ignoring case.
        public func header(_ name: String) -> String? {
            let wanted = name.lowercased()
            return headers.first { $0.name.lowercased() == wanted }?.value
        }
    }

    /// A failed system call during the setup of the server.
    public struct Failure: Error, Equatable, CustomStringConvertible {
        /// The name of the system call.
        public var operation: String

        /// The value of `errno`.
        public var code: Int32

        /// A description with the system call and the value of `errno`.
        public var description: String { "\(operation) failed with errno \(code)" }
    }

    private let core: ServerCore

    /// Creates a server and starts accepting connections.
    ///
    /// - Parameters:
    ///   - usesIPv6: Whether to listen on `::1` instead of `127.0.0.1`.
    ///   - isRecording: Whether to record ``requests``; `false` saves memory if there are many.
    ///   - respond: Returns the response to a request; called before the request is recorded.
    /// - Throws: ``Failure`` if the system can't provide a socket, port, or thread.
    public init(
        usesIPv6: Bool = false,
        isRecording: Bool = true,
        respond: @escaping @Sendable (Request) -> LoopbackResponse
    ) throws {
        core = try ServerCore(usesIPv6: usesIPv6, isRecording: isRecording, respond: respond)
        do {
            try core.start()
        } catch {
            core.discard()
            throw error
        }
    }

    deinit {
        stop()
    }

    /// The server's TCP port.
    public var port: UInt16 { core.port }

    /// The scheme, host, and port of the server, such as `http://127.0.0.1:49152`.
    public var origin: String { "http://\(core.usesIPv6 ? "[::1]" : "127.0.0.1"):\(core.port)" }

    /// The complete requests so far, in order of arrival; empty if the server doesn't record them.
    public var requests: [Request] { core.requests }

    /// The number of open connections.
    public var openConnections: Int { core.openConnections }

    /// Closes the listener and all connections, and waits until all descriptors are released.
    ///
    /// It also waits for `respond` to return, unless it's called from `respond`. Calling it again
    /// has no effect.
    public func stop() {
        core.stop()
    }

    /// Returns once at least `count` complete requests have been recorded.
    ///
    /// It returns early when the server stops or the calling task is canceled.
    public func waitForRequests(_ count: Int) async {
        await core.wait(for: .requests, count: count)
    }

    /// Returns once at least `count` connections have been closed or reset by the peer.
    ///
    /// Connections ended by a response's steps or by ``stop()`` don't count. It returns early when
    /// the server stops or the calling task is canceled.
    public func waitForDisconnect(_ count: Int = 1) async {
        await core.wait(for: .disconnects, count: count)
    }
}
