import HTTPTypes
public import NIOCore
import NIOHTTPTypes
import Synchronization

/// Limits the connections of each client, and the time in which a request must arrive.
///
/// Otherwise a client that sends its requests byte by byte, on many connections, would hold all descriptors.
public final class ConnectionLimits: Sendable {
    private let limit: Int
    private let limitPerAddress: Int
    private let proxies: NetworkList
    private let requestTime: TimeAmount
    private let counts = Mutex<(total: Int, clients: [ClientAddress: Int])>((0, [:]))

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of connections, each of which holds a descriptor.
    ///   - limitPerAddress: The maximum number of connections from an address that isn't a proxy's.
    ///   - proxies: The networks of proxies.
    ///   - requestTime: The time from the connection, or the end of the previous response, to the end of a request.
    public init(limit: Int = .max, limitPerAddress: Int, proxies: NetworkList = [], requestTime: Duration) {
        self.limit = limit
        self.limitPerAddress = limitPerAddress
        self.proxies = proxies
        self.requestTime = TimeAmount(requestTime)
    }

    /// The number of open connections.
    public var count: Int { counts.withLock(\.total) }

    /// Returns the handler of a connection, between those that parse requests and those that respond.
    public func handler() -> any RemovableChannelHandler { ConnectionHandler(self, requestTime: requestTime) }

    /// Counts a connection; returns its client, or `nil` if it may not have another one.
    fileprivate func add(_ peer: String?) -> ClientAddress? {
        let (client, isProxy) = (ClientAddress(peer: peer), proxies.contains(peer ?? ""))
        return counts.withLock { counts in
            let hasRoom = isProxy || counts.clients[client, default: 0] < limitPerAddress
            guard hasRoom, counts.total < limit else { return nil }
            counts.total += 1
            counts.clients[client, default: 0] += 1
            return client
        }
    }

    fileprivate func remove(_ client: ClientAddress) {
        counts.withLock { counts in
            counts.total -= 1
            counts.clients[client, default: 1] -= 1
            if counts.clients[client] == 0 { counts.clients[client] = nil }
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
        guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        pendingCount -= 1
        // A slow client's download may take longer than the limit of its next request.
        let end = promise ?? context.eventLoop.makePromise()
        end.futureResult.assumeIsolated().whenSuccess {
            if self.pendingCount <= 0 { self.startTimeLimit(context) }
        }
        context.write(data, promise: end)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // The server shuts down, so it doesn't wait for the rest of a request.
        if event is ChannelShouldQuiesceEvent, pendingCount <= 0 { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    private func begin(_ context: ChannelHandlerContext) {
        guard client == nil else { return }
        client = limits.add(context.remoteAddress?.ipAddress)
        guard client != nil else { return context.close(promise: nil) }
        startTimeLimit(context)
    }

    private func startTimeLimit(_ context: ChannelHandlerContext) {
        timeLimit?.cancel()
        timeLimit = context.eventLoop.assumeIsolated().scheduleTask(in: requestTime) { context.close(promise: nil) }
    }
}
