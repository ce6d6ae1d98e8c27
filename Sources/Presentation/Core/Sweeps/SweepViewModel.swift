public import BrowseDomain

/// A screen, or a row, that runs a sweep and shows its progress.
@MainActor
public final class SweepViewModel: ViewModel {
    /// The state of the sweep.
    public struct State: Equatable, Sendable {
        /// Whether the sweep is loading pages or waiting for a rate limit.
        public internal(set) var isRunning = false
        /// The failure of the last run; stored rows remain.
        public internal(set) var failure: Message?
        /// The latest progress; `nil` before the storage is open.
        public internal(set) var progress: SweepProgress?
        /// The localized number of rows; empty without progress.
        public internal(set) var title: String = ""
        /// The localized pace and end, or the end of a wait; `nil` if unknown, or while it isn't running.
        public internal(set) var detail: String?
    }

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }

    private let store = StateStore(State())
    private let texts: Texts
    private let sweep: (_ again: Bool, _ report: (SweepProgress) -> Void) async throws(SweepError) -> Void
    private var task: Task<Void, Never>?
    /// Whether the server refused the stored position, where resuming would fail each time.
    private var mustStartAgain = false

    /// Creates a screen of a sweep, which isn't started.
    public init(_ sweep: Sweep<some Sendable>, texts: Texts) {
        self.texts = texts
        self.sweep = { again, report throws(SweepError) in try await sweep.run(again: again, report: report) }
        store.addPart { state in
            guard let progress = state.progress else { return }
            state.title = texts(.sweepCount(progress))
            state.detail = state.isRunning ? texts.detail(of: progress) : nil
        }
    }

    deinit {
        task?.cancel()
    }

    /// Runs the sweep until it ends or is stopped; does nothing while it's running.
    ///
    /// Canceling the calling task stops the sweep.
    ///
    /// - Parameter again: Whether to start at the first page; after `SweepError.cursorRefused`, always the case until a page is
    ///   stored.
    public func run(again: Bool = false) async {
        // A stopped run ends when its request is canceled.
        if let task, task.isCancelled { await task.value }
        guard !store.state.isRunning else { return }
        store.update { ($0.isRunning, $0.failure) = (true, nil) }
        let startsAgain = again || mustStartAgain
        let task = Task { [weak self, sweep] in
            var failure: SweepError?
            do throws(SweepError) {
                try await sweep(startsAgain) { progress in
                    self?.store.state.progress = progress
                    if progress.pageCount > 0 { self?.mustStartAgain = false }
                }
            } catch {
                failure = error == .failed(.cancelled) ? nil : error
            }
            guard let self else { return }
            if case .cursorRefused = failure { mustStartAgain = true }
            store.update { ($0.isRunning, $0.failure) = (false, failure.map { texts.message(for: $0) }) }
        }
        self.task = task
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Stops the sweep; ``run(again:)`` resumes it.
    public func stop() {
        task?.cancel()
    }
}
