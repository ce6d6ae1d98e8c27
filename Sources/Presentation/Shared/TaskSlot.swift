import BrowseDomain
import Foundation

/// Holds the one piece of work that a view model has under way; new work takes the place of the old, which is cancelled.
///
/// The work is also cancelled when the one who waits for it is, and when the slot goes away with its view model.
@MainActor
final class TaskSlot {
    private var cancelCurrent: (@Sendable () -> Void)?
    private var wait: RateLimitWait?

    /// Called when ``waitEnd`` has changed.
    var waitDidChange: @MainActor () -> Void = {}

    /// When the rate limit ends that the work waits for; `nil` while it waits for none.
    private(set) var waitEnd: Date? {
        didSet { if waitEnd != oldValue { waitDidChange() } }
    }

    deinit {
        cancelCurrent?()
    }

    /// Does work away from the main actor and waits for it.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(BrowseError) -> Value
    ) async -> Result<Value, BrowseError> {
        cancel()
        let wait = RateLimitWait { [weak self] wait in
            // Read when it's shown, since these tasks may overtake each other.
            Task { @MainActor in self?.show(wait) }
        }
        self.wait = wait
        let task = Task { @concurrent () -> Result<Value, BrowseError> in
            await RateLimitWait.$current.withValue(wait) { await Result.of(work) }
        }
        cancelCurrent = { task.cancel() }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if self.wait === wait { endWait() }
        return result
    }

    /// Reads something as a policy says, away from the main actor, and waits for it.
    ///
    /// - Parameters:
    ///   - policy: Which of what was read before may be shown.
    ///   - priority: How soon it is wanted.
    ///   - read: Reads it; called twice at most.
    ///   - kept: Takes what is kept, when the server is asked after that.
    func load<Value: Sendable>(
        _ policy: LoadPolicy,
        priority: LoadPriority = .visible,
        _ read: @escaping @Sendable () async throws(BrowseError) -> Value,
        kept: @escaping @MainActor @Sendable (Loaded<Value>) -> Void
    ) async -> Result<Loaded<Value>, BrowseError> {
        await run { () throws(BrowseError) in
            try await policy.load(priority: priority, read) { await kept($0) }
        }
    }

    /// Cancels what is under way.
    func cancel() {
        cancelCurrent?()
        cancelCurrent = nil
        endWait()
    }

    private func show(_ wait: RateLimitWait) {
        if self.wait === wait { waitEnd = wait.end }
    }

    private func endWait() {
        wait = nil
        waitEnd = nil
    }
}
