package import Foundation

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
/// Repositories in memory ignore them. Child tasks and `Task { }` inherit them; `Task.detached`
/// doesn't.
public struct LoadOptions: Hashable, Sendable {
    /// The permitted sources of a response.
    public enum Source: Hashable, Sendable {
        /// The server; a cached response is used only after revalidation.
        case network
        /// The server, or the cache if the server can't be reached or fails (5xx).
        case networkElseCache
        /// The cache; without a response from it, a read throws
        /// `BrowseError.Unreachable.notCached`.
        case cacheOnly
    }

    /// The age of cached responses that may be shown without asking the server.
    ///
    /// A response with a date in the future, which a wrong clock wrote, has none.
    package enum Age: Hashable, Sendable {
        case upTo(Duration)
        case since(Date)

        package func contains(_ date: Date, at now: Date) -> Bool {
            guard date <= now else { return false }
            return switch self {
            case .upTo(let limit): now.timeIntervalSince(date) <= limit / .seconds(1)
            case .since(let first): date >= first
            }
        }
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

    /// Whether the read precedes one from the server, and therefore doesn't wait for a disk that
    /// hangs.
    package var isPreview: Bool = false

    /// The cached responses that are the answer without a request; `nil` if the server is asked.
    package var accepted: Age?
    /// Whether a cached response can be the answer without a request.
    @_spi(Services) public var acceptsAge: Bool { accepted != nil }

    /// The priority of the load that the read belongs to, which overrides ``priority``; `nil`
    /// without one.
    package var sharedPriority: CoalescedPriority?

    /// Whether a person tries again, so that the service is asked whether a limit has ended.
    package var isRetry: Bool = false

    /// Returns the current options for a load that a person repeats.
    package static var retrying: LoadOptions { modified(current) { $0.isRetry = true } }

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
        // Awaited before the result is created, whose value can be a pair (Decision 6).
        do throws(BrowseError) {
            let value = try await read()
            return .success(value)
        } catch {
            return .failure(error)
        }
    }
}
