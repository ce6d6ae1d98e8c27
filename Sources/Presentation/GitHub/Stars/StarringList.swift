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
    /// Stars the repository of a row, or removes the star if it's shown.
    ///
    /// The star and the count change at once, in all lists. If GitHub refuses, they change back and the screen shows a notice.
    /// Returns when GitHub has responded.
    ///
    /// - Returns: `Route.signIn` if nobody is signed in; the star is stored after signing in.
    public func toggleStar(_ id: Row.ID) async -> Route? {
        guard let row = list.row(id) else { return nil }
        return await stars.marks.toggle(row)
    }
}
