/// Does what a tap on a favorite's mark means.
///
/// The tap means the opposite of what was shown, not the opposite of what is stored: who taps an empty heart wants the thing
/// kept, also when another screen was faster.
public struct ToggleFavorite: Sendable {
    /// What came of it.
    public enum Outcome: Hashable, Sendable {
        /// It is a favorite now.
        case added
        /// It was one already, and nothing changed.
        case alreadyThere
        /// It is no favorite any more.
        case removed
        /// It was none already, and nothing changed.
        case alreadyGone
    }

    private let repository: any FavoriteRepository

    /// Creates the rule.
    public init(repository: any FavoriteRepository) {
        self.repository = repository
    }

    /// Adds what was not shown as a favorite, removes what was.
    ///
    /// - Parameters:
    ///   - favorite: What was tapped.
    ///   - isFavorite: Whether its mark was set when it was tapped.
    /// - Throws: ``BrowseError``: `.storageFailed` when it could not be stored; then nothing has changed.
    @discardableResult
    public func callAsFunction(
        _ favorite: Favorite,
        shownAs isFavorite: Bool
    ) async throws(BrowseError) -> Outcome {
        if isFavorite {
            try await repository.remove(favorite.id) ? .removed : .alreadyGone
        } else {
            try await repository.add(favorite) ? .added : .alreadyThere
        }
    }
}
