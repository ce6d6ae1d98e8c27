/// The urgency of a read.
public enum LoadPriority: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// Needed later: the next page of a list, or images below the visible rows.
    case prefetch
    /// Needed now by a visible screen.
    case visible

    /// Orders priorities from less to more urgent.
    public static func < (one: LoadPriority, other: LoadPriority) -> Bool { one.rawValue < other.rawValue }
}

/// The source and priority of a read.
///
/// The options apply to all reads in a task, so repositories need no parameters for them:
///
/// ```swift
/// var options = LoadOptions()
/// options.source = .cacheOnly
/// let profile = try await options.load { () throws(BrowseError) in
///     try await repository.profile(of: login)
/// }
/// print(profile.value, profile.provenance)
/// ```
///
/// Repositories in memory ignore them. Child tasks and `Task { }` inherit them; `Task.detached` doesn't.
public struct LoadOptions: Hashable, Sendable {
    /// The permitted sources of a response.
    public enum Source: Hashable, Sendable {
        /// The server; a cached response is used only after revalidation.
        case network
        /// The server, or the cache if the server can't be reached or fails (5xx).
        case networkElseCache
        /// The cache; without a response from it, a read throws `BrowseError.Unreachable.notCached`.
        case cacheOnly
    }

    /// The permitted sources of a response.
    public var source: Source
    /// The urgency of the read.
    public var priority: LoadPriority

    /// Creates options; the defaults suit a visible screen.
    public init(source: Source = .network, priority: LoadPriority = .visible) {
        self.source = source
        self.priority = priority
    }

    /// The priority of the load that the read belongs to, which overrides ``priority``; `nil` without one.
    package var sharedPriority: CoalescedPriority?

    /// The urgency of the read now; that of a load can change while the read waits.
    package var currentPriority: LoadPriority { sharedPriority?.priority ?? priority }

    /// The options of the current task.
    @TaskLocal public static var current: LoadOptions = LoadOptions()
}

/// A value that was read, and its provenance.
public struct Loaded<Value: Sendable>: Sendable {
    /// The value, decoded from one or more responses.
    public let value: Value
    /// The provenance; of several responses, the least reliable one.
    public let provenance: Provenance

    package init(_ value: Value, _ provenance: Provenance) {
        self.value = value
        self.provenance = provenance
    }
}

extension Loaded: Equatable where Value: Equatable {}

extension LoadOptions {
    /// Performs a read with these options.
    ///
    /// - Throws: The error of the read.
    public func load<Value: Sendable>(
        _ read: @Sendable () async throws(BrowseError) -> Value
    ) async throws(BrowseError) -> Loaded<Value> {
        let record = ProvenanceRecord()
        let result = await Self.$current.withValue(self) {
            await ProvenanceRecord.$current.withValue(record) { await Result.of(read) }
        }
        return Loaded(try result.get(), record.provenance)
    }
}

extension Result where Failure == BrowseError {
    /// The error of a read or write that failed; `nil` if it succeeded.
    package var failure: BrowseError? {
        if case .failure(let error) = self { error } else { nil }
    }

    /// Returns the result of a read.
    package static func of(_ read: () async throws(BrowseError) -> Success) async -> Self {
        // Awaits first: `Success` can be a tuple, of which Swift 6.3 miscompiles the part that is initialized before a suspension
        // (swiftlang/swift#91911).
        do throws(BrowseError) {
            let value = try await read()
            return .success(value)
        } catch {
            return .failure(error)
        }
    }
}

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
            options.source = .cacheOnly
            // Errors don't matter here, since the server is asked next.
            if let early = try? await options.load(read) { await cached(early) }
            guard !Task.isCancelled else { throw .cancelled }
        }
        options.source = source
        return try await options.load(read)
    }
}
