/// Stores the current ids of visitors whose ids were replaced, by the keys of their stores.
///
/// A visitor's cookie has an id and a key. Signing in and out replace the id, so a former cookie, which somebody may have planted or
/// stolen, is worthless in every process. Nothing is stored for other visitors. Ids are stored as digests.
public protocol VisitorIDs: Sendable {
    /// Returns a visitor's current id; `nil` if it was never replaced. What is stored for the visitor then lives on.
    func current(of visitor: String) async throws -> String?
    /// Replaces an id; returns `false` if another request has replaced it.
    func replace(_ former: String, by new: String, of visitor: String) async throws -> Bool
    /// Deletes what is stored for visitors whose cookies have expired; the default does nothing.
    func deleteExpired() async throws
}

extension VisitorIDs {
    /// Does nothing, for a store that deletes expired values itself.
    public func deleteExpired() {}
}
