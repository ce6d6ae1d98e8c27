/// Work that nobody waits for, as setting a property starts it; it ends with its owner.
///
/// The work must not hold its owner for longer than it takes to begin, or the owner would never go away.
@MainActor
final class BackgroundWork {
    private let clock: any Clock<Duration>
    private var waiting: Task<Void, Never>?
    private var running: Task<Void, Never>?

    /// - Parameter clock: Measures pauses.
    init(clock: any Clock<Duration> = ContinuousClock()) {
        self.clock = clock
    }

    deinit {
        waiting?.cancel()
        running?.cancel()
    }

    /// Begins at once, in place of what runs or waits.
    func run(_ work: @escaping @MainActor () async -> Void) {
        cancelWaiting()
        running?.cancel()
        running = Task { await work() }
    }

    /// Begins when a pause has passed in which nothing else was begun: of several texts typed quickly, the last counts.
    func run(after pause: Duration, _ work: @escaping @MainActor () async -> Void) {
        cancelWaiting()
        waiting = Task { [clock, weak self] in
            guard (try? await clock.sleep(for: pause)) != nil, !Task.isCancelled else { return }
            self?.beginWaiting()
            await work()
        }
    }

    /// Forgets what waits for its pause; what runs goes on.
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
