/// Adds or removes a favorite.
///
/// A tap sets the opposite of what the row showed, not of what is stored: tapping an empty heart never removes the favorite, even
/// if another screen has added it meanwhile.
package struct SetFavorite: Sendable {
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

    /// Adds or removes a favorite, unless it's already stored or missing.
    ///
    /// - Throws: ``BrowseError``: `.storageFailed`, in which case nothing has changed.
    @discardableResult
    package func callAsFunction(_ favorite: Favorite, to isFavorite: Bool) async throws(BrowseError) -> Outcome {
        if isFavorite {
            try await repository.add(favorite) ? .added : .alreadyThere
        } else {
            try await repository.remove(favorite.id) ? .removed : .alreadyGone
        }
    }
}
