public import Foundation
import Synchronization

/// The origin and freshness of a value that was read.
public enum Provenance: Comparable, Hashable, Sendable {
    /// The server sent the value for this read.
    case fresh
    /// The cache had the value, and the server confirmed that it's current.
    case revalidated
    /// The cache had the value, and the server wasn't asked, although it could have been.
    ///
    /// The date is when the server last sent or confirmed the value.
    case stale(since: Date)
    /// Cached, because the server couldn't be reached or failed (5xx), or because the client is
    /// offline.
    ///
    /// The date is when the server last sent or confirmed the value.
    case offline(since: Date)
    /// A copy that was saved earlier, such as with a favorite, at an unknown time.
    case saved

    /// Whether the server sent or confirmed the value for this read.
    public var isCurrent: Bool { self == .fresh || self == .revalidated }

    /// The time at which the server last sent or confirmed the value.
    ///
    /// It's `nil` if the server did so for this read, or if the time isn't known.
    public var date: Date? {
        switch self {
        case .fresh, .revalidated, .saved: nil
        case .stale(let date), .offline(let date): date
        }
    }

    /// The provenance of the responses so far of the read that the current task belongs to.
    @_spi(Services) public static var current: Provenance { ProvenanceRecord.current?.provenance ?? .fresh }

    /// Returns the provenance of a value from two responses: the less reliable of the two.
    public func combined(with other: Provenance) -> Provenance {
        switch (self, other) {
        case (.stale(let one), .stale(let two)): .stale(since: min(one, two))
        case (.offline(let one), .offline(let two)): .offline(since: min(one, two))
        default: max(self, other)
        }
    }
}

/// Records the provenance of the responses of one read.
package final class ProvenanceRecord: Sendable {
    /// The record of the read that the current task belongs to.
    @TaskLocal package static var current: ProvenanceRecord?

    private let recorded = Mutex<Provenance?>(nil)

    package init() {}

    package func note(_ provenance: Provenance) {
        recorded.withLock { $0 = $0?.combined(with: provenance) ?? provenance }
    }

    /// The combined provenance; `.fresh` if none was recorded.
    package var provenance: Provenance { recorded.withLock { $0 } ?? .fresh }
}
