/// How soon something is wanted.
public enum LoadPriority: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// It may be wanted later: the next page of a list, the pictures below the screen.
    case prefetch
    /// Somebody waits for it now.
    case visible

    /// Whether one is less urgent than another.
    public static func < (one: LoadPriority, other: LoadPriority) -> Bool { one.rawValue < other.rawValue }
}

/// The source, priority, and patience of a read.
///
/// Repositories are asked for things, not for ways to bring them, so the options go beside their protocols, with the task:
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
/// A repository that does not know of them, such as one in memory, brings what it has. Child tasks and `Task { }` take them
/// along, `Task.detached` does not.
public struct LoadOptions: Hashable, Sendable {
    /// Where a response may come from.
    public enum Source: Hashable, Sendable {
        /// From the server alone; what is kept saves it from sending the same again.
        case network
        /// From the server, or from what is kept when the server cannot be reached.
        case networkElseCache
        /// From what is kept alone; nothing is sent. `BrowseError.Unreachable.notCached` when it is not there.
        case cacheOnly
    }

    /// Where a response may come from.
    public var source: Source
    /// How soon it is wanted.
    public var priority: LoadPriority
    /// The longest total wait for rate limits; a longer one fails at once with the time when it would end.
    ///
    /// `nil` is the client's default, which `Configuration.patience` sets; zero never waits.
    public var patience: Duration?

    /// Creates options; the default reads from the server, for a visible screen, with the client's patience.
    public init(source: Source = .network, priority: LoadPriority = .visible, patience: Duration? = nil) {
        self.source = source
        self.priority = priority
        self.patience = patience
    }

    /// The options of the current task.
    @TaskLocal public static var current: LoadOptions = LoadOptions()
}

/// Something that was read, and where it came from.
public struct Loaded<Value: Sendable>: Sendable {
    /// What was read.
    public let value: Value
    /// Where it came from; of what was put together from several responses, the least certain of them.
    public let provenance: Provenance

    /// Creates a note of where something came from.
    public init(_ value: Value, _ provenance: Provenance) {
        self.value = value
        self.provenance = provenance
    }
}

extension Loaded: Equatable where Value: Equatable {}

extension LoadOptions {
    /// Reads something with these options.
    ///
    /// - Throws: What the read throws.
    public func load<Value: Sendable>(
        _ read: @Sendable () async throws(BrowseError) -> Value
    ) async throws(BrowseError) -> Loaded<Value> {
        let record = ProvenanceRecord()
        let result = await Self.$current.withValue(self) {
            await ProvenanceRecord.$current.withValue(record) {
                await Result.of(read)
            }
        }
        return Loaded(try result.get(), record.provenance)
    }
}

extension Result where Failure == BrowseError {
    /// What a read ended with.
    package static func of(_ read: () async throws(BrowseError) -> Success) async -> Self {
        // The value is kept in a name first: see PaginatedFetch for what Swift 6.3 makes of a wait inside of an enum's case.
        do throws(BrowseError) {
            let value = try await read()
            return .success(value)
        } catch {
            return .failure(error)
        }
    }
}
