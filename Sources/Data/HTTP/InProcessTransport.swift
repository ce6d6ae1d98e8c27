package import BrowseDomain
package import Foundation
import Synchronization

/// A transport without a network: a handler answers requests under the rules of all other transports.
///
/// It validates requests, follows redirects, enforces limits, and cancels the handler as ``URLSessionTransport`` does, and holds
/// no session, thread, or file descriptor. The handler runs with the task-local values of the caller.
package struct InProcessTransport: HTTPTransport {
    /// Answers one request; canceled when the caller no longer waits.
    package typealias Handler = @Sendable (HTTPRequest) async -> Result<HTTPResponse, URLError>

    private let handler: Handler
    private let redirects: RedirectPolicy
    private let clock: any Clock<Duration>

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - redirectLimit: The maximum number of redirects for one request.
    ///   - clock: Measures ``HTTPLimits/duration``.
    ///   - handler: Answers requests.
    package init(
        redirectLimit: Int = 5,
        clock: any Clock<Duration> = ContinuousClock(),
        handler: @escaping Handler
    ) {
        self.handler = handler
        self.clock = clock
        redirects = RedirectPolicy(limit: max(0, redirectLimit))
    }

    /// Sends a request to the handler and waits for its response, whatever the status.
    package func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
        let outcome = FirstOutcome()
        let limit = clock.startTimeLimit(of: request.limits.duration) {
            outcome.end(with: .failure(.timedOut(request.info)))
        }
        defer { limit.cancel() }
        return try await redirects.follow(request) { (hop) async throws(BrowseError) in
            _ = try hop.validatedOrigin()
            return try await perform(hop, outcome).validated(for: hop)
        }
    }

    private func perform(_ request: HTTPRequest, _ outcome: FirstOutcome) async throws(BrowseError) -> HTTPResponse {
        guard !Task.isCancelled else { throw .cancelled }
        // Not a child task: a handler that ignores cancellation must not delay the caller.
        let work = Task {
            let answer = await handler(request)
            outcome.answer(Self.outcome(of: answer, to: request))
        }
        defer { work.cancel() }
        return try await withTaskCancellationHandler {
            await outcome.next()
        } onCancel: {
            outcome.end(with: .failure(.cancelled))
        }
        .get()
    }

    private static func outcome(
        of answer: Result<HTTPResponse, URLError>,
        to request: HTTPRequest
    ) -> Result<HTTPResponse, BrowseError> {
        switch answer {
        case .success(var response):
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

/// The outcomes of one request and its redirects; once ended, it stays ended.
private final class FirstOutcome: Sendable {
    typealias Outcome = Result<HTTPResponse, BrowseError>

    private struct State {
        var end: Outcome?
        var answer: Outcome?
        var waiter: CheckedContinuation<Outcome, Never>?
    }

    private let state = Mutex(State())

    /// Waits for the answer to the current hop, or for the end.
    func next() async -> Outcome {
        await withCheckedContinuation { continuation in
            let outcome = state.withLock { state -> Outcome? in
                if let outcome = state.end ?? state.answer.take() { return outcome }
                state.waiter = continuation
                return nil
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }

    /// Delivers the answer to the current hop.
    func answer(_ outcome: Outcome) {
        let waiter = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            guard state.end == nil else { return nil }
            if state.waiter == nil { state.answer = outcome }
            return state.waiter.take()
        }
        waiter?.resume(returning: outcome)
    }

    /// Ends the request, unless it has ended.
    func end(with outcome: Outcome) {
        let waiter = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
            guard state.end == nil else { return nil }
            state.end = outcome
            return state.waiter.take()
        }
        waiter?.resume(returning: outcome)
    }
}
