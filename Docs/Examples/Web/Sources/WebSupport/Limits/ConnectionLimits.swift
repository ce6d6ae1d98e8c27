import HTTPTypes
public import NIOCore
import NIOHTTPTypes
import Synchronization

/// Limits the connections of each client, and the time in which a request must arrive.
///
/// Otherwise a client that sends its requests byte by byte, on many connections, would hold all descriptors.
public final class ConnectionLimits: Sendable {
    private let limit: Int
    private let requestTime: TimeAmount
    private let counts = Mutex<[ClientAddress: Int]>([:])

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of connections from an address; `nil` for a server behind a proxy, which has all.
    ///   - requestTime: The time from the connection, or the previous response, to the end of a request.
    public init(limit: Int?, requestTime: Duration) {
        self.limit = limit ?? .max
        self.requestTime = TimeAmount(requestTime)
    }

    /// The number of open connections.
    public var count: Int { counts.withLock { $0.values.reduce(0, +) } }

    /// Returns the handler of a connection, between those that parse requests and those that respond.
    public func handler() -> any RemovableChannelHandler { ConnectionHandler(self, requestTime: requestTime) }

    /// Counts a connection; returns whether the client may have it.
    fileprivate func add(_ client: ClientAddress) -> Bool {
        counts.withLock { counts in
            guard counts[client, default: 0] < limit else { return false }
            counts[client, default: 0] += 1
            return true
        }
    }

    fileprivate func remove(_ client: ClientAddress) {
        counts.withLock { counts in
            counts[client, default: 1] -= 1
            if counts[client] == 0 { counts[client] = nil }
        }
    }
}

private final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ConnectionLimits
    private let requestTime: TimeAmount
    /// The client, if its connection was counted.
    private var client: ClientAddress?
    /// The requests that have arrived, less the complete responses.
    ///
    /// It's negative if a refusal precedes the rest of its request.
    private var pendingCount = 0
    private var timeLimit: Scheduled<Void>?

    init(_ limits: ConnectionLimits, requestTime: TimeAmount) {
        self.limits = limits
        self.requestTime = requestTime
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timeLimit?.cancel()
        if let client = client.take() { limits.remove(client) }
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = unwrapInboundIn(data) {
            pendingCount += 1
            if pendingCount > 0 { timeLimit?.cancel() }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            pendingCount -= 1
            if pendingCount <= 0 { startTimeLimit(context) }
        }
        context.write(data, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // The server shuts down, so it doesn't wait for the rest of a request.
        if event is ChannelShouldQuiesceEvent, pendingCount <= 0 { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard client == nil else { return }
        let address = ClientAddress(peer: context.remoteAddress?.ipAddress)
        guard limits.add(address) else { return context.close(promise: nil) }
        client = address
        startTimeLimit(context)
    }

    private func startTimeLimit(_ context: ChannelHandlerContext) {
        timeLimit?.cancel()
        timeLimit = context.eventLoop.assumeIsolated().scheduleTask(in: requestTime) { context.close(promise: nil) }
    }
}
