public import BrowseDomain

/// A screen, or a row, that runs a sweep and shows its progress.
@MainActor
public final class SweepViewModel: ViewModel {
    /// The state of the sweep.
    public struct State: Equatable, Sendable {
        /// The stage of the sweep.
        public enum Status: Equatable, Sendable {
            /// The sweep hasn't been started.
            case idle
            /// Pages are loaded, or a rate limit is waited for.
            case running
            /// The sweep was stopped, and can be resumed.
            case stopped
            /// The end of the list was reached.
            case finished
            /// The sweep failed; stored rows remain.
            case failed(Message)
        }

        /// The stage.
        public internal(set) var status: Status = .idle
        /// The latest progress; `nil` before the storage is open.
        public internal(set) var progress: SweepProgress?
        /// The localized number of rows; empty without progress.
        public internal(set) var title: String = ""
        /// The localized pace and end, or the end of a wait; `nil` if unknown, and unless it's running.
        public internal(set) var detail: String?
    }

    /// The current state, and a stream of states.
    public var states: States<State> { store.states }

    private let store = StateStore(State())
    private let texts: Texts
    private let updates: @Sendable (SweepStart) -> SweepUpdates
    private var task: Task<Void, Never>?
    /// Resuming at a position that the server refused would fail each time.
    private var nextStart = SweepStart.resume

    /// Creates a screen of a sweep, which isn't started.
    public init(_ sweep: Sweep<some Sendable>, texts: Texts) {
        self.texts = texts
        updates = { sweep.updates($0) }
        store.addPart { state in
            guard let progress = state.progress else { return }
            state.title = texts(.sweepCount(progress.checkpoint))
            state.detail = state.status == .running ? texts.detail(of: progress) : nil
        }
    }

    deinit {
        task?.cancel()
    }

    /// Runs the sweep until it ends or is stopped; does nothing while it's running.
    ///
    /// Canceling the calling task stops the sweep.
    ///
    /// - Parameter start: The page to start at; `nil` resumes, or starts again after `SweepError.cursorRefused`.
    public func run(_ start: SweepStart? = nil) async {
        guard store.state.status != .running else { return }
        store.state.status = .running
        let start = start ?? nextStart
        nextStart = .resume
        let task = Task { [weak self, updates] in
            let outcome: State.Status
            do throws(SweepError) {
                for try await progress in updates(start) { self?.store.state.progress = progress }
                outcome = .finished
            } catch .failed(.cancelled) {
                outcome = .stopped
            } catch {
                if case .cursorRefused = error { self?.nextStart = .again }
                outcome = self.map { .failed($0.texts.message(for: error)) } ?? .stopped
            }
            self?.store.state.status = outcome
        }
        self.task = task
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Stops the sweep after the page in flight; ``run(_:)`` resumes it.
    public func stop() {
        task?.cancel()
    }
}
