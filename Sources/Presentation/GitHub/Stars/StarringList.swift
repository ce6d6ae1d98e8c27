public import BrowsePresentation

/// A list of code repositories whose stars a person can change.
@MainActor
public protocol StarringList: ListIntents where Row == RepoRow {
    /// The stars of the rows; the list has the same methods.
    var stars: StarControls { get }
}

/// The stars of a list's rows.
@MainActor
public struct StarControls {
    let marks: StarMarks
}

extension StarringList {
    /// Stars the repository of a row, or removes the star.
    ///
    /// For a signed-in user, the star and the count change at once, in all lists. Nothing is sent if GitHub is known to have that
    /// state. If storing fails, they change back; if its outcome is unknown, they stay. In both cases, the screen shows a notice.
    /// Returns when storing ends, or if the session can't be restored. The last of several changes wins.
    ///
    /// - Returns: `Route.signIn` for a star if nobody is signed in; it's stored after signing in.
    public func setStar(_ id: Row.ID, to isStarred: Bool) async -> Route? {
        guard let row = list.row(id) else { return nil }
        return await stars.marks.set(row, to: isStarred)
    }

    /// Stars the repository of a row, or removes the star if it's shown, like ``setStar(_:to:)``.
    public func toggleStar(_ id: Row.ID) async -> Route? {
        guard let row = list.row(id) else { return nil }
        return await setStar(id, to: !row.isStarred)
    }
}
