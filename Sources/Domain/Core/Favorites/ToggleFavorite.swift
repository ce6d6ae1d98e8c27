/// Adds or removes a favorite, depending on what its row shows.
///
/// A tap inverts the state that the row showed, not the stored state: tapping an empty heart never removes the favorite, even
/// if another screen has added it meanwhile.
package struct ToggleFavorite: Sendable {
    package enum Outcome: Hashable, Sendable {
        /// The favorite was added.
        case added
        /// The favorite existed already; nothing changed.
        case alreadyThere
        /// The favorite was removed.
        case removed
        /// The favorite didn't exist; nothing changed.
        case alreadyGone
    }

    private let repository: any FavoriteRepository

    package init(repository: any FavoriteRepository) {
        self.repository = repository
    }

    /// Adds a favorite, or removes it if its row showed it as a favorite.
    ///
    /// - Parameters:
    ///   - favorite: The favorite of the row.
    ///   - isFavorite: Whether the row showed it as a favorite.
    /// - Throws: ``BrowseError``: `.storageFailed`, in which case nothing has changed.
    @discardableResult
    package func callAsFunction(
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
