public import BrowseDomain
import Synchronization

/// Holds responses until a test releases them, in any order.
///
/// ```swift
/// let held = ControlledResponses<ImageRequest, EncodedImage>()
/// let images = InMemoryImageRepository(onCall: held.response)
/// async let first = images.image(for: mona)
/// _ = await held.waitForRequests(1)
/// async let second = images.image(for: hubot)
/// _ = await held.waitForRequests(2)
/// held.answer(1, with: .success(.drawn(for: "hubot")))
/// held.answer(0, with: .success(.drawn(for: "mona")))
/// ```
///
/// Requests are numbered from 0 in the order of arrival. Safe to use from any number of tasks.
public final class ControlledResponses<Request: Sendable, Value: Sendable>: Sendable {
    private struct Desk {
        var requests: [Request] = []
        var answers: [Int: Result<Value, BrowseError>] = [:]
        /// The requests that got a response.
        var answered: Set<Int> = []
        /// The requests that don't wait any longer.
        var done: Set<Int> = []
    }

    private let desk = Monitor(Desk())
    private let deliversAfterCancellation: Bool

    /// Creates a holder without requests.
    ///
    /// - Parameter deliversAfterCancellation: Whether a request whose task is canceled still waits
    ///   for its response, as with code that ignores cancellation. Then it must get one.
    public init(deliversAfterCancellation: Bool = false) {
        self.deliversAfterCancellation = deliversAfterCancellation
        TestScope.current?.remind { [desk] in
            let desk = desk.value
            let waiting = desk.requests.indices.first { !desk.done.contains($0) && desk.answers[$0] == nil }
            return waiting.map { index in
                "request \(index) waited for its response. Call answer(\(index), with: …) before awaiting the work."
            }
        }
        TestScope.current?.atEnd { [desk] report in
            let desk = desk.value
            let count = desk.requests.count
            for index in desk.answers.keys.sorted() where !desk.requests.indices.contains(index) {
                report("Unused answer: no request \(index) came. There were \(count), numbered from 0.", nil)
            }
        }
    }

    /// All requests so far, in order of arrival.
    public var requests: [Request] { desk.value.requests }

    /// The number of requests that wait for a response.
    public var waitingCount: Int {
        let desk = desk.value
        return desk.requests.indices.count { !desk.done.contains($0) && desk.answers[$0] == nil }
    }

    /// Adds a request, and waits for its response.
    ///
    /// - Throws: The failure of the response, or `.cancelled` when the calling task is canceled,
    ///   unless responses are delivered after that.
    public func response(to request: Request) async throws(BrowseError) -> Value {
        if deliversAfterCancellation {
            let number = add(request)
            // Not a child task, so it isn't canceled.
            return try await Task { await lateResponse(number) }.value.get()
        }
        let index = Mutex<Int?>(nil)
        let number = await withTaskCancellationHandler {
            // Inside the handler, so that canceling a visible request takes effect immediately.
            let number = desk.withLock { desk in
                let number = desk.requests.count
                desk.requests.append(request)
                index.withLock { $0 = number }
                // An answer that was given before the cancellation still counts.
                if Task.isCancelled, desk.answers[number] == nil { desk.done.insert(number) }
                return number
            }
            await desk.suspend { $0.answers[number] != nil || $0.done.contains(number) }
            return number
        } onCancel: {
            desk.withLock { desk in
                guard let number = index.withLock({ $0 }), desk.answers[number] == nil else { return }
                desk.done.insert(number)
            }
        }
        let answer = desk.withLock { desk in
            desk.done.insert(number)
            return desk.answers.removeValue(forKey: number)
        }
        guard let answer else { throw .cancelled }
        return try answer.get()
    }

    private func add(_ request: Request) -> Int {
        desk.withLock { desk in
            desk.requests.append(request)
            return desk.requests.count - 1
        }
    }

    private func lateResponse(_ number: Int) async -> Result<Value, BrowseError> {
        await desk.suspend { $0.answers[number] != nil }
        return desk.withLock { desk in
            desk.done.insert(number)
            return desk.answers.removeValue(forKey: number) ?? .failure(.cancelled)
        }
    }

    /// Waits for a total number of requests, or until the calling task is canceled.
    ///
    /// The wait has no time limit; use the trait `.timeLimit`.
    ///
    /// - Parameters:
    ///   - count: The number of requests.
    ///   - fileID: The file to name in issues.
    ///   - line: The line to name in issues.
    /// - Returns: All requests so far.
    @discardableResult
    public func waitForRequests(_ count: Int, fileID: String = #fileID, line: Int = #line) async -> [Request] {
        await desk.wait(
            reminding: { desk in
                let came = desk.requests.isEmpty ? "no request came" : "only \(desk.requests.count) came"
                return """
                    waitForRequests(\(count)) at \(fileID):\(line) waited, and \(came). Pass the response to the mock, \
                    as in onCall: held.response, and start the work in a task before the wait.
                    """
            },
            until: { $0.requests.count >= count }
        )
        return requests
    }

    /// Releases a response.
    ///
    /// A response to a later request is stored for it; if that doesn't come, it's an issue of a
    /// test with the trait `.verifiesMocks`. Only the first response to a request counts; another
    /// one, as for cleaning up, is such an issue only if the test fails.
    ///
    /// - Parameters:
    ///   - index: The number of the request, from 0.
    ///   - answer: The response or failure.
    /// - Returns: `false` if the request has a response already, or was canceled.
    @discardableResult
    public func answer(_ index: Int, with answer: Result<Value, BrowseError>) -> Bool {
        let (isUsed, isSecond) = desk.withLock { desk in
            let isSecond = desk.answered.contains(index)
            guard !isSecond, !desk.done.contains(index) else { return (false, isSecond) }
            desk.answers[index] = answer
            desk.answered.insert(index)
            return (true, false)
        }
        if isSecond {
            let text = "an answer was unused: request \(index), numbered from 0, had one already."
            TestScope.current?.remind(.hint) { text }
        }
        return isUsed
    }
}
