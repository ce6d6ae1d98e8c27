/// Which of what was read before may be shown.
public enum LoadPolicy: Hashable, Sendable {
    /// Nothing; what the server sends is shown, or that it sends nothing.
    case fresh
    /// What is kept at once, then what the server sends; what is kept stays when the server cannot be reached.
    case cachedFirst
    /// What the server sends, or what is kept when it cannot be reached.
    case freshElseCached
    /// What is kept alone; nothing is sent.
    case offline

    /// Where the response to a read may come from that is not preceded by another of what is kept.
    public var source: LoadOptions.Source {
        switch self {
        case .fresh: .network
        case .cachedFirst, .freshElseCached: .networkElseCache
        case .offline: .cacheOnly
        }
    }

    /// Reads something as the policy says: what is kept may come before what the server sends.
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
    ///   - priority: How soon it is wanted.
    ///   - read: Reads it; called twice at most.
    ///   - cached: Takes what is kept, when the server is asked after that; not called when there is nothing.
    /// - Throws: What the last read throws; what was handed over before stays good.
    public func load<Value: Sendable>(
        priority: LoadPriority = .visible,
        _ read: @Sendable () async throws(BrowseError) -> Value,
        cached: (Loaded<Value>) async -> Void
    ) async throws(BrowseError) -> Loaded<Value> {
        var options = LoadOptions.current
        options.priority = priority
        if self == .cachedFirst {
            options.source = .cacheOnly
            // There may be nothing; why does not matter, since the server is asked.
            if let early = try? await options.load(read) { await cached(early) }
            guard !Task.isCancelled else { throw .cancelled }
        }
        options.source = source
        return try await options.load(read)
    }
}
