extension Task where Success == Void, Failure == Never {
    /// Starts a task; on Linux on the calling thread, which saves a switch of threads.
    ///
    /// The caller continues when the task first suspends, so it must not hold a lock that the task needs.
    static func startImmediately(_ operation: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        #if os(Linux)
        .immediate { await operation() }
        #else
        // Apple platforms before 26 don't have it.
        Task { await operation() }
        #endif
    }
}
