public import Foundation
import Synchronization

/// Where something that was read came from.
public enum Provenance: Hashable, Sendable {
    /// The server sent it, for this very read.
    case fresh
    /// It was kept here, and the server said that it is still the same.
    case revalidated
    /// It was kept here and shown without asking; the time is when the server last sent or confirmed it.
    case stale(since: Date)
    /// It was kept here and shown in place of what the server has: it could not be reached, had trouble (5xx), or was not to
    /// be asked; the time is when it last sent or confirmed it.
    case offline(since: Date)

    /// When the server last sent or confirmed it; `nil` when that was just now.
    public var date: Date? {
        switch self {
        case .fresh, .revalidated: nil
        case .stale(let date), .offline(let date): date
        }
    }

    /// What is true of something that was put together from two responses: the less certain of them.
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

extension Provenance: CustomStringConvertible {
    /// The case, with its time, for developers.
    public var description: String {
        switch self {
        case .fresh: "fresh"
        case .revalidated: "revalidated"
        case .stale(let date): "stale since \(date.formatted(.iso8601))"
        case .offline(let date): "offline since \(date.formatted(.iso8601))"
        }
    }
}

/// Where the responses of one read came from, as the clients that brought them note it.
package final class ProvenanceRecord: Sendable {
    /// The record of the read that the current task belongs to.
    @TaskLocal package static var current: ProvenanceRecord?

    private let noted = Mutex<Provenance?>(nil)

    /// Nothing is noted yet.
    package init() {}

    /// Notes where a response came from.
    package func note(_ provenance: Provenance) {
        noted.withLock { $0 = $0?.combined(with: provenance) ?? provenance }
    }

    /// Where the whole came from; what no client has noted is fresh.
    package var provenance: Provenance { noted.withLock { $0 } ?? .fresh }
}
