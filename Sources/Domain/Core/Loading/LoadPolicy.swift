/// When cached data may be shown.
public enum LoadPolicy: Hashable, Sendable {
    /// Shows only the server's response.
    case fresh
    /// Shows cached data at once, and then the server's response.
    ///
    /// If the server can't be reached or fails, the cached data stays.
    case cachedFirst
    /// Shows cached data only if the server can't be reached or fails (5xx, 408, 425).
    case freshElseCached
    /// Shows cached data of at most this age without asking the server.
    ///
    /// Older data is shown as ``cachedFirst`` does. The age counts from the request, and includes
    /// the time that a shared cache had the response (`Age`). A refresh always asks, and so does
    /// the next read after a change of the account. Later pages of a list are as old as its first
    /// page allows.
    case cached(upTo: Duration)
    /// Shows only cached data, and sends no requests.
    case offline

    /// The source of the read; if a cached value may precede it, of the read that follows.
    package var source: LoadOptions.Source {
        switch self {
        case .fresh: .network
        case .cachedFirst, .freshElseCached, .cached: .networkElseCache
        case .offline: .cacheOnly
        }
    }

    /// The cached responses that are the answer without a request; `nil` if the server is always
    /// asked.
    package var accepted: LoadOptions.Age? {
        if case .cached(let limit) = self { .upTo(limit) } else { nil }
    }

    /// The cached responses that are the answer for a later page of a list.
    ///
    /// They aren't older than the first page.
    package func accepted(after first: Provenance?) -> LoadOptions.Age? {
        if case .stale(let date) = first, accepted != nil { .since(date) } else { nil }
    }

    /// The provenance of a page as the account's changes see it.
    ///
    /// A young response was requested after the account's last change, unlike a cached one.
    package func current(_ provenance: Provenance) -> Provenance {
        if case .stale = provenance, accepted != nil { .revalidated } else { provenance }
    }

    /// Whether content is cached because the server couldn't be reached.
    ///
    /// It's asked for when its screen appears again, like content that failed.
    package func isFallback(_ provenance: Provenance?) -> Bool {
        if case .offline? = provenance { self != .offline } else { false }
    }

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
    ///   - read: The read; called twice at most, and once more if its account signs out.
    ///   - cached: Receives a cached value before the server responds; not called if there is none.
    /// - Throws: The error of the last read; the cached value remains valid.
    public func load<Value: Sendable>(
        priority: LoadPriority = .visible,
        _ read: @Sendable () async throws(BrowseError) -> Value,
        cached: (Loaded<Value>) async -> Void
    ) async throws(BrowseError) -> Loaded<Value> {
        try await load(CoalescedPriority(priority), accepting: accepted, read, cached: cached)
    }

    /// Performs a read with a priority that can change while it waits.
    ///
    /// - Parameters:
    ///   - isShown: Whether content is shown, so that no cached value precedes the server's.
    ///   - accepted: The cached responses that are the answer without a request.
    package func load<Value: Sendable>(
        _ priority: CoalescedPriority = CoalescedPriority(.visible),
        isShown: Bool = false,
        accepting accepted: LoadOptions.Age?,
        _ read: @Sendable () async throws(BrowseError) -> Value,
        cached: (Loaded<Value>) async -> Void
    ) async throws(BrowseError) -> Loaded<Value> {
        var options = LoadOptions.current
        options.priority = priority.priority
        options.sharedPriority = priority
        if !isShown, self == .cachedFirst || self.accepted != nil {
            options.source = .cacheOnly
            options.isPreview = true
            // Errors don't matter here, since the server is asked next.
            if let early = try? await options.load(read) { await cached(early) }
            guard !Task.isCancelled else { throw .cancelled }
        }
        options.source = source
        options.isPreview = false
        options.accepted = options.isRetry ? nil : accepted
        do throws(BrowseError) {
            return try await options.load(read)
        } catch .unauthorized(let info) where info.status == nil && !info.refusedConfiguredToken {
            // Its account has signed out; the content may be for anybody.
            return try await options.load(read)
        } catch {
            // A page with a successful status, in place of the service's.
            guard self == .freshElseCached, case .unreachable(.intercepted, _) = error else { throw error }
            options.source = .cacheOnly
            guard let stored = try? await options.load(read), let date = stored.provenance.date else {
                throw Task.isCancelled ? .cancelled : error
            }
            return Loaded(stored.value, .offline(since: date))
        }
    }
}
