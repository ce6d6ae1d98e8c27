extension Task where Success == Void, Failure == Never {
    /// Starts a task on the calling thread, where the system supports it, instead of switching threads.
    ///
    /// The caller continues when the task first suspends, so it must not hold a lock that the task needs.
    static func startImmediately(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            .immediate { await operation() }
        } else {
            Task { await operation() }
        }
    }
}
