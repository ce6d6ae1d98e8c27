/// A raw-socket HTTP/1.1 server on 127.0.0.1 or ::1 with scripted good and bad behavior.
///
/// The server listens on a port chosen by the system and serves each connection on a thread of its own.
/// `respond` runs on those threads, possibly at the same time for different connections; it must not hold
/// the server strongly, or the server can only be ended by ``stop()``.
public final class LoopbackServer: Sendable {
    /// One header field of a request, as sent by the client.
    public struct Header: Sendable, Equatable {
        /// The field name in the case the client used.
        public var name: String

        /// The field value without surrounding spaces and tabs.
        public var value: String

        /// Creates a header field from its name and value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// One complete request, as received from the client.
    public struct Request: Sendable, Equatable {
        /// The request method, for example `GET`.
        public var method: String

        /// The raw request target, path and query exactly as on the wire.
        public var target: String

        /// The header fields in the order received.
        public var headers: [Header]

        /// The body in bytes, with any chunked coding removed.
        public var body: [UInt8]

        /// The connection the request arrived on, counted from 0 in order of acceptance.
        public var connection: Int

        /// Returns the value of the first header field with this name, ignoring case.
        public func header(_ name: String) -> String? {
            let wanted = name.lowercased()
            return headers.first { $0.name.lowercased() == wanted }?.value
        }
    }

    /// A system call that failed while the server was being set up.
    public struct Failure: Error, Equatable, CustomStringConvertible {
        /// The name of the system call.
        public var operation: String

        /// The `errno` value it left.
        public var code: Int32

        /// The system call and its `errno` value in words.
        public var description: String { "\(operation) failed with errno \(code)" }
    }

    private let core: ServerCore

    /// Creates a server that is already accepting connections and answers each request with `respond`.
    ///
    /// - Parameters:
    ///   - usesIPv6: Whether it listens on `::1` in place of `127.0.0.1`.
    ///   - isRecording: Whether ``requests`` are kept; a test of many, or of memory, has better use for the room.
    ///   - respond: Answers a request.
    /// - Throws: ``Failure`` when the system gives no socket, port or thread.
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

    /// The TCP port the server listens on.
    public var port: UInt16 { core.port }

    /// The scheme, host and port of the server, for example `http://127.0.0.1:49152`.
    public var origin: String { "http://\(core.usesIPv6 ? "[::1]" : "127.0.0.1"):\(core.port)" }

    /// All complete requests received so far, in order of arrival.
    public var requests: [Request] { core.requests }

    /// The number of connections that are open now.
    public var openConnections: Int { core.openConnections }

    /// Closes the listener and all connections, and returns once all descriptors are released.
    ///
    /// Calling it again does nothing more. It waits for calls of `respond` in progress to return; called from
    /// `respond` itself it closes everything but doesn't wait.
    public func stop() {
        core.stop()
    }

    /// Returns once at least `count` complete requests have arrived.
    ///
    /// It returns early when the server stops or the calling task is canceled.
    public func waitForRequests(_ count: Int) async {
        await core.wait(for: .requests, count: count)
    }

    /// Returns once at least `count` connections have been closed or reset by the peer.
    ///
    /// Connections ended by a response's steps or by ``stop()`` don't count. It returns early when the server stops
    /// or the calling task is canceled.
    public func waitForDisconnect(_ count: Int = 1) async {
        await core.wait(for: .disconnects, count: count)
    }
}
