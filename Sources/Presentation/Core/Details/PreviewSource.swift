public import BrowseDomain
public import Foundation

/// The source of a row or a preview: the provenance of its response, and when that was read.
///
/// All sources are equal, so a row that is read again and hasn't changed is the same row.
public struct PreviewSource: Hashable, Sendable {
    /// A copy that was saved earlier, such as with a favorite.
    public static let saved: PreviewSource = PreviewSource(.saved, readAt: .distantPast)

    private let provenance: Provenance
    private let readDate: Date

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - provenance: The provenance of the response.
    ///   - readDate: The time of the read.
    public init(_ provenance: Provenance, readAt readDate: Date) {
        self.provenance = provenance
        self.readDate = readDate
    }

    /// Returns the provenance at a time: a response that was current is stale a minute later.
    package func provenance(at time: Date) -> Provenance {
        let isRecent = abs(time.timeIntervalSince(readDate)) <= 60
        return provenance.isCurrent && !isRecent ? .stale(since: readDate) : provenance
    }

    /// When the server sent or confirmed the value; `nil` if that isn't known.
    private var date: Date? { provenance == .saved ? nil : provenance.date ?? readDate }

    /// Returns the provenance of a value that is young enough to be shown without a request.
    func accepted(by policy: LoadPolicy, at time: Date) -> Provenance? {
        date.flatMap { policy.accepted?.contains($0, at: time) == true ? .stale(since: $0) : nil }
    }

    /// Returns the provenance of the value beside a cached response; `nil` if that is newer.
    func provenance(ifNewerThan response: Provenance) -> Provenance? {
        guard let date, let responseDate = response.date, date > responseDate else { return nil }
        if case .stale = response { return .stale(since: date) }
        return .offline(since: date)
    }

    /// Returns whether both are sources.
    public static func == (left: PreviewSource, right: PreviewSource) -> Bool { true }

    /// Hashes nothing.
    public func hash(into hasher: inout Hasher) {}
}
