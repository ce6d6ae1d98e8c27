/// When cached data may be shown.
public enum LoadPolicy: Hashable, Sendable {
    /// Shows only the server's response.
    case fresh
    /// Shows cached data at once, and then the server's response.
    ///
    /// If the server can't be reached or fails, the cached data stays.
    case cachedFirst
    /// Shows cached data only if the server can't be reached or fails (5xx).
    case freshElseCached
    /// Shows only cached data, and sends no requests.
    case offline

    /// The source of the read; with ``cachedFirst``, of the read that follows the cached value.
    package var source: LoadOptions.Source {
        switch self {
        case .fresh: .network
        case .cachedFirst, .freshElseCached: .networkElseCache
        case .offline: .cacheOnly
        }
    }

    /// The same policy without cached data before the server's, for content that is already shown.
    package var withoutPreview: LoadPolicy { self == .cachedFirst ? .freshElseCached : self }

    /// Performs a read according to the policy; a cached value may precede the server's.
    ///
    /// ```swift
    /// let profile = try await LoadPolicy.cachedFirst.load { () throws(BrowseError) in
    ///     try await repository.profile(of: login)
    /// } cached: { profile in
    ///     print("at first:", profile.provenance, profile.value)
    /// }
    /// print(profile.provenance, profile.value)
    /// ```
    ///
    /// - Parameters:
    ///   - priority: The urgency of the read.
    ///   - read: The read; called at most twice.
    ///   - cached: Receives a cached value before the server responds; not called if there is none.
    /// - Throws: The error of the last read; the cached value remains valid.
    public func load<Value: Sendable>(
        priority: LoadPriority = .visible,
        _ read: @Sendable () async throws(BrowseError) -> Value,
        cached: (Loaded<Value>) async -> Void
    ) async throws(BrowseError) -> Loaded<Value> {
        try await load(priority: CoalescedPriority(priority), read, cached: cached)
    }

    /// Performs a read with a priority that can change while it waits.
    package func load<Value: Sendable>(
        priority: CoalescedPriority,
        _ read: @Sendable () async throws(BrowseError) -> Value,
        cached: (Loaded<Value>) async -> Void
    ) async throws(BrowseError) -> Loaded<Value> {
        var options = LoadOptions.current
        options.priority = priority.priority
        options.sharedPriority = priority
        if self == .cachedFirst {
            (options.source, options.isPreview) = (.cacheOnly, true)
            // Errors don't matter here, since the server is asked next.
            if let early = try? await options.load(read) { await cached(early) }
            guard !Task.isCancelled else { throw .cancelled }
        }
        (options.source, options.isPreview) = (source, false)
        return try await options.load(read)
    }
}
