public import BrowseDomain
import Synchronization

/// Holds every response until a test lets it go, in any order.
///
/// It is how a test makes a response come late, or two responses come in the wrong order:
///
/// ```swift
/// let held = ControlledResponses<GitHub.Login, GitHub.UserProfile>()
/// let users = UserRepositoryDouble.held(held)
/// async let first = users.profile(of: GitHub.Login("mona"))
/// _ = await held.waitForRequests(1)
/// async let second = users.profile(of: GitHub.Login("hubot"))
/// _ = await held.waitForRequests(2)
/// held.answer(1, with: .success(hubot))
/// held.answer(0, with: .success(mona))
/// ```
///
/// Requests are numbered from 0 in the order in which they came. It may be used from any number of tasks at once.
public final class ControlledResponses<Request: Sendable, Value: Sendable>: Sendable {
    private struct Desk {
        var requests: [Request] = []
        var answers: [Int: Result<Value, BrowseError>] = [:]
        /// The requests that wait no more.
        var done: Set<Int> = []
    }

    private let desk = Monitor(Desk())

    /// Creates a holder that nobody has asked yet.
    public init() {}

    /// Every request so far, in the order in which they came, answered or not.
    public var requests: [Request] { desk.value.requests }

    /// How many requests wait for their response now.
    public var waitingCount: Int {
        let desk = desk.value
        return desk.requests.indices.count { !desk.done.contains($0) && desk.answers[$0] == nil }
    }

    /// Asks, and waits until the test answers.
    ///
    /// - Throws: The failure that the test answers with, or `.cancelled` as soon as the calling task is cancelled.
    public func response(to request: Request) async throws(BrowseError) -> Value {
        let index = Mutex<Int?>(nil)
        let number = await withTaskCancellationHandler {
            // Here, so that whoever sees the request and cancels its asker finds that done at once.
            let number = desk.withLock { desk in
                let number = desk.requests.count
                desk.requests.append(request)
                index.withLock { $0 = number }
                // An answer that was given first still counts.
                if Task.isCancelled, desk.answers[number] == nil { desk.done.insert(number) }
                return number
            }
            await desk.wait { $0.answers[number] != nil || $0.done.contains(number) }
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

    /// Waits until at least so many requests have come in all, or until the calling task is canceled.
    ///
    /// A test that waits for a request that never comes waits for ever; the trait `.timeLimit` ends it.
    ///
    /// - Returns: Every request so far.
    @discardableResult
    public func waitForRequests(_ count: Int) async -> [Request] {
        await desk.wait { $0.requests.count >= count }
        return requests
    }

    /// Lets a response go.
    ///
    /// An answer to a request that has not come yet is kept for it. Of two answers to one request, the first counts.
    ///
    /// - Parameters:
    ///   - index: The request's number, from 0.
    ///   - answer: What the asker gets.
    /// - Returns: `false` when the request has its answer already, or its asker was cancelled.
    @discardableResult
    public func answer(_ index: Int, with answer: Result<Value, BrowseError>) -> Bool {
        desk.withLock { desk in
            guard !desk.done.contains(index), desk.answers[index] == nil else { return false }
            desk.answers[index] = answer
            return true
        }
    }
}
