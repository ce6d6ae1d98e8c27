public import BrowsePresentation

extension RowMark {
    /// Whether the user has starred the row's repository.
    public static let star: RowMark = RowMark("star")
}

extension ListIntents where Row == RepoRow {
    /// Stars the repository of a row, or removes the star.
    ///
    /// For a signed-in user, the star and the count change at once, in all lists. Nothing is sent if GitHub is known to have that
    /// state. If storing fails, they change back; if its outcome is unknown, they stay. In both cases, the screen shows a notice.
    /// Returns when storing ends, or if the session can't be restored. The last of several changes wins.
    ///
    /// - Returns: `Route.signIn` for a star if nobody is signed in, which a notice says too; it's stored after signing in.
    @discardableResult
    public func setStar(_ id: Row.ID, to isStarred: Bool) async -> Route? { await set(.star, of: id, to: isStarred) }

    /// Stars the repository of a row, or removes the star if it's shown, like ``setStar(_:to:)``.
    @discardableResult
    public func toggleStar(_ id: Row.ID) async -> Route? {
        guard let row = row(id) else { return nil }
        return await setStar(id, to: !row.isStarred)
    }
}
