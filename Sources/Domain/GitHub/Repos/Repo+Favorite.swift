public import BrowseDomain

// The raw value is stored, so it must never change.
extension Favorite.Kind {
    /// A GitHub code repository.
    public static let repo: Favorite.Kind = Favorite.Kind(rawValue: "repo")
}

extension GitHub.Repo: Favoritable {
    /// The kind ``Favorite/Kind/repo``.
    public static var favoriteKind: Favorite.Kind { .repo }
    /// The repository's number.
    public var favoriteKey: String { String(id.rawValue) }
    /// Owner and name.
    public var favoriteTitle: String { fullName }
    /// The owner's avatar.
    public var favoriteImage: WebAddress? { owner?.avatar }
}

extension Favorite.ID {
    /// Returns the identity of a code repository's favorite.
    public static func repo(_ id: GitHub.Repo.ID) -> Favorite.ID {
        Favorite.ID(kind: .repo, number: id.rawValue)
    }
}

extension Favorite {
    /// A snapshot of a repository as a favorite, with its current name and owner.
    public static func repo(_ repo: GitHub.Repo) -> Favorite { Favorite(repo) }
}
