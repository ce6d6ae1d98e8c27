import BrowseDomain

/// The one piece of work that a view model performs; new work cancels and replaces the old.
///
/// The work is also canceled with its caller, and when its owner goes away.
@MainActor
final class LatestTask {
    private var cancelCurrent: (@Sendable () -> Void)?

    deinit {
        cancelCurrent?()
    }

    /// Performs work away from the main actor and waits for it.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(BrowseError) -> Value
    ) async -> Result<Value, BrowseError> {
        cancel()
        let task = Task { @concurrent in await Result.of(work) }
        cancelCurrent = { task.cancel() }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Cancels the work.
    func cancel() {
        cancelCurrent?()
        cancelCurrent = nil
    }
}
