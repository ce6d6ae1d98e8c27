public import Foundation
import Synchronization

/// The origin and freshness of a value that was read.
public enum Provenance: Hashable, Sendable {
    /// The server sent the value for this read.
    case fresh
    /// The cache had the value, and the server confirmed that it's current.
    case revalidated
    /// The cache had the value, and the server wasn't asked, although it could have been.
    ///
    /// The date is when the server last sent or confirmed the value.
    case stale(since: Date)
    /// Cached, because the server couldn't be reached or failed (5xx), or because the client is offline.
    ///
    /// The date is when the server last sent or confirmed the value.
    case offline(since: Date)

    /// The time at which the server last sent or confirmed the value; `nil` if it did so for this read.
    public var date: Date? {
        switch self {
        case .fresh, .revalidated: nil
        case .stale(let date), .offline(let date): date
        }
    }

    /// Returns the provenance of a value from two responses: the less reliable of the two.
    public func combined(with other: Provenance) -> Provenance {
        if rank != other.rank { return rank > other.rank ? self : other }
        guard let date, let otherDate = other.date else { return self }
        return date < otherDate ? self : other
    }

    private var rank: Int {
        switch self {
        case .fresh: 0
        case .revalidated: 1
        case .stale: 2
        case .offline: 3
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
