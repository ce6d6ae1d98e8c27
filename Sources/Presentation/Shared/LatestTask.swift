import BrowseDomain

/// The one task that a view model runs; a new one cancels and replaces it.
///
/// Canceling the caller or releasing this object also cancels the task.
@MainActor
final class LatestTask {
    private var cancelCurrent: (@Sendable () -> Void)?

    deinit {
        cancelCurrent?()
    }

    /// Performs work away from the main actor, and returns its result.
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

    /// Cancels the task.
    func cancel() {
        cancelCurrent?()
        cancelCurrent = nil
    }
}
