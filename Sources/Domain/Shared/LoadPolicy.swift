/// Which of what was read before may be shown.
public enum LoadPolicy: Hashable, Sendable {
    /// Nothing; what the server sends is shown, or that it sends nothing.
    case fresh
    /// What is kept at once, then what the server sends; what is kept stays when the server cannot be reached.
    case cachedFirst
    /// What is kept alone; nothing is sent.
    case offline

    /// Where the reply to a read may come from that is not preceded by another of what is kept.
    public var source: LoadOptions.Source {
        switch self {
        case .fresh: .server
        case .cachedFirst: .serverOrKept
        case .offline: .kept
        }
    }

    /// Reads something as the policy says, and hands over what comes: up to two values, what is kept before what the server
    /// sends.
    ///
    /// ```swift
    /// try await LoadPolicy.cachedFirst.load { () throws(BrowseError) in
    ///     try await repository.profile(of: login)
    /// } receive: { profile in
    ///     print(profile.provenance, profile.value)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - priority: How soon it is wanted.
    ///   - read: Reads it; called twice at most.
    ///   - receive: Takes what comes, on the caller's actor.
    /// - Throws: What the last read throws; what was handed over before stays good.
    public func load<Value: Sendable>(
        priority: LoadPriority = .visible,
        isolation: isolated (any Actor)? = #isolation,
        _ read: @escaping @Sendable () async throws(BrowseError) -> Value,
        receive: (Loaded<Value>) -> Void
    ) async throws(BrowseError) {
        var options = LoadOptions.current
        options.priority = priority
        if self == .cachedFirst {
            options.source = .kept
            // There may be nothing; why does not matter, since the server is asked.
            if let kept = try? await options.load(read) { receive(kept) }
            guard !Task.isCancelled else { throw .cancelled }
        }
        options.source = source
        receive(try await options.load(read))
    }
}
