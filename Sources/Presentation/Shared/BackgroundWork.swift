/// Work without a caller, such as a load that setting a property starts. It's canceled with its owner.
///
/// The work must not retain its owner while it waits.
@MainActor
final class BackgroundWork {
    private let clock: any Clock<Duration>
    private var waiting: Task<Void, Never>?
    private var running: Task<Void, Never>?

    init(clock: any Clock<Duration> = ContinuousClock()) {
        self.clock = clock
    }

    deinit {
        waiting?.cancel()
        running?.cancel()
    }

    /// Starts work at once, and cancels the work that runs or waits.
    func run(_ work: @escaping @MainActor () async -> Void) {
        cancelWaiting()
        running?.cancel()
        running = Task { await work() }
    }

    /// Starts work after a pause; replaces work that waits, and cancels running work when the pause ends.
    func run(after pause: Duration, _ work: @escaping @MainActor () async -> Void) {
        cancelWaiting()
        waiting = Task { [clock, weak self] in
            guard (try? await clock.sleep(for: pause)) != nil, !Task.isCancelled else { return }
            self?.beginWaiting()
            await work()
        }
    }

    /// Cancels the work that waits for its pause.
    func cancelWaiting() {
        waiting?.cancel()
        waiting = nil
    }

    private func beginWaiting() {
        running?.cancel()
        running = waiting
        waiting = nil
    }
}
