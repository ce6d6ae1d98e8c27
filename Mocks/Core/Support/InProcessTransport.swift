package import BrowseData
package import BrowseDomain
package import Foundation

/// A transport without a network: a handler answers requests under the rules of all other
/// transports.
///
/// It validates requests, follows redirects, enforces limits, and cancels the handler as
/// `URLSessionTransport` does, and holds no session, thread, or file descriptor. The handler runs
/// with the task-local values of the caller.
package struct InProcessTransport: ContainerTransport, ScriptedTransport {
    /// Answers one request; canceled when the caller no longer waits.
    package typealias Handler = @Sendable (HTTPClient.Request) async -> Result<HTTPClient.Response, URLError>

    /// Receives the fault of a response that the client doesn't use, or not all of it.
    package typealias FaultReport = @Sendable (ScriptedFault, HTTPClient.Request) -> Void

    /// The time of a server: the current one, and the clock of the container that sent a request.
    ///
    /// A function alone can't be task-local in optimized code (Decision 6).
    struct ServerTime: Sendable {
        var now: @Sendable () -> Date = { Date() }
        var clock: any Clock<Duration> = ContinuousClock()
    }

    /// The time of the server that answers the request of this task.
    @TaskLocal static var time: ServerTime = ServerTime()
    /// The request that the client sent; this task can be answering one of its redirects.
    @TaskLocal static var original: HTTPClient.Request?

    private let handler: Handler
    private let reportFault: FaultReport
    private let clock: (any Clock<Duration>)?
    private var defaultClock: any Clock<Duration>
    private var date: @Sendable () -> Date

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - clock: Measures ``HTTPLimits/duration``; `nil` uses that of the container.
    ///   - defaultClock: The clock outside of a container.
    ///   - date: Returns the current time outside of a container.
    ///   - reportFault: Reports the fault of a response.
    ///   - handler: Answers requests.
    package init(
        clock: (any Clock<Duration>)? = nil,
        default defaultClock: any Clock<Duration> = ContinuousClock(),
        now date: @escaping @Sendable () -> Date = { Date() },
        reportFault: @escaping FaultReport = { _, _ in },
        handler: @escaping Handler
    ) {
        self.reportFault = reportFault
        self.handler = handler
        self.clock = clock
        self.defaultClock = defaultClock
        self.date = date
    }

    package func didFind(_ fault: ScriptedFault, inResponseTo request: HTTPClient.Request) {
        reportFault(fault, request)
    }

    package func measured(
        by clock: any Clock<Duration>,
        now: @escaping @Sendable () -> Date
    ) -> any HTTPTransport {
        var transport = self
        (transport.defaultClock, transport.date) = (clock, now)
        return transport
    }

    /// Sends a request to the handler and waits for its response, whatever the status.
    package func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
        var work: [Task<Void, Never>] = []
        defer { for task in work { task.cancel() } }
        let clock = clock ?? defaultClock
        let limits = TimeLimits(clock: clock)
        let elapsed = limits.elapsed
        return try await limits.send(request) { hop, response in
            // Not a child task: a handler that ignores cancellation must not delay the caller.
            work.append(
                Task {
                    let time = ServerTime(now: date, clock: defaultClock)
                    let answer = await Self.$time.withValue(time) {
                        await Self.$original.withValue(request) { await handler(hop) }
                    }
                    // It can advance before the task of the time limit sleeps.
                    let isLate = clock is TestClock && elapsed() >= request.limits.duration
                    response.resolve(isLate ? .failure(.timedOut(request.info)) : Self.outcome(of: answer, to: hop))
                }
            )
        }
    }

    private static func outcome(
        of answer: Result<HTTPClient.Response, URLError>,
        to request: HTTPClient.Request
    ) -> Result<HTTPClient.Response, BrowseError> {
        switch answer {
        case .success(var response):
            // They end with their head (RFC 9112, section 6.3).
            if [204, 304].contains(response.status) { response.body = Data() }
            guard response.body.count <= request.limits.bodyBytes else {
                return .failure(.unusableResponse(.tooLarge(limit: request.limits.bodyBytes), request.info))
            }
            for (name, value) in response.headers.fields {
                response.headers[name] = HTTPHeaders.sanitized(value.utf8)
            }
            return .success(response)
        case .failure(let error):
            return .failure(BrowseError(transferError: error, hadResponse: false, request: request.info))
        }
    }
}
