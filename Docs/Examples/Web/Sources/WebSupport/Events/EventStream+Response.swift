import HTTPTypes
public import Hummingbird
import ServiceLifecycle

extension EventStream {
    /// Returns the response that streams a subscription's events.
    ///
    /// It ends when the log is finished, when the server shuts down, when the client closes the connection, which ends the
    /// subscription at once, and when a client that vanished or stopped reading has filled the buffers for a heartbeat interval.
    ///
    /// - Parameters:
    ///   - subscription: The events.
    ///   - visitor: The visitor whose streams are limited.
    ///   - streams: The open streams of the server.
    ///   - request: The request. Its body is consumed, to notice that the client closes the connection.
    ///   - heartbeat: The interval of heartbeats.
    ///   - clock: Measures the interval.
    ///   - onChange: Called with 1 when the stream begins, and with -1 when it has ended, however that happened.
    /// - Returns: The response; its status is 503 if the server has too many streams.
    public static func response(
        to request: Request,
        streaming subscription: EventSubscription,
        of visitor: VisitorID,
        in streams: OpenStreams,
        heartbeat: Duration = .seconds(15),
        clock: any Clock<Duration> = ContinuousClock(),
        onChange: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> Response {
        let headers: HTTPFields = [
            .contentType: "text/event-stream", .cacheControl: "no-store", .connection: "close",
            // Proxies such as nginx would otherwise collect events.
            .accelBuffering: "no",
        ]
        guard streams.hasRoom() else { return Response(status: .serviceUnavailable, headers: [.retryAfter: "10"]) }
        let body = ResponseBody { writer in
            // Another stream may have taken the room since.
            guard streams.add(subscription, of: visitor) else { return try await writer.finish(nil) }
            var wasSlow = false
            onChange(1)
            do {
                defer {
                    streams.remove(subscription, of: visitor, wasSlow: wasSlow)
                    subscription.close()
                    onChange(-1)
                }
                // Only the task of `run` that writes uses it, and that task ends before `run` returns.
                nonisolated(unsafe) var output = writer
                do {
                    try await request.body.consumeWithCancellationOnInboundClose { _ in
                        try await withGracefulShutdownHandler {
                            let stream = EventStream(subscription: subscription, heartbeat: heartbeat, clock: clock)
                            try await stream.run { try await output.write(ByteBuffer(string: $0)) }
                        } onGracefulShutdown: {
                            subscription.end()
                        }
                    }
                } catch let error as SlowReader {
                    wasSlow = true
                    throw error
                }
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }
}

extension HTTPField.Name {
    static let accelBuffering = parsed("X-Accel-Buffering")
}
