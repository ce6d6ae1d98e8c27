public import BrowseDomain

/// A code repository as a list shows it; reading another property of the repository reads through.
@dynamicMemberLookup
public struct RepoRow: FavoriteRow {
    /// The code repository as it was read.
    public internal(set) var repo: GitHub.Repo
    /// Whether it is a favorite.
    public var isFavorite: Bool
    /// Whether whoever is signed in has starred it, or asked for that.
    public var isStarred: Bool
    /// How many people starred it, the person's own star counted as ``isStarred`` says; `nil` when the response did not tell.
    public var starCount: Int?
    /// When it was read, which decides what of the person's own doings its count knows of.
    var readInterval = GitHub.StarStore.ReadInterval.earliest

    /// Creates a row.
    public init(_ repo: GitHub.Repo, isFavorite: Bool = false, isStarred: Bool = false) {
        self.repo = repo
        self.isFavorite = isFavorite
        self.isStarred = isStarred
        starCount = repo.starCount
    }

    /// The code repository's identity.
    public var id: GitHub.Repo.ID { repo.id }
    /// What would be kept.
    public var favorite: Favorite { .repo(repo) }
    /// The identity of the favorite.
    public var favoriteID: Favorite.ID { .repo(repo.id) }
    /// The repository's page on the web, if it has one that can be opened.
    public var route: Route? { repo.route }

    /// The code repository that is a favorite.
    public static func id(of favorite: Favorite.ID) -> GitHub.Repo.ID? {
        favorite.kind == .repo ? favorite.number.map(GitHub.Repo.ID.init(rawValue:)) : nil
    }

    /// A property of the code repository.
    public subscript<Value>(dynamicMember property: KeyPath<GitHub.Repo, Value>) -> Value {
        repo[keyPath: property]
    }

    /// Whether two rows show the same; when they were read does not show.
    public static func == (left: RepoRow, right: RepoRow) -> Bool {
        left.repo == right.repo && left.isFavorite == right.isFavorite && left.isStarred == right.isStarred
            && left.starCount == right.starCount
    }

    /// Hashes the identity, and what changes most.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(repo.id)
        hasher.combine(isFavorite)
        hasher.combine(isStarred)
        hasher.combine(starCount)
    }
}

extension GitHub.Repo {
    /// Where a tap on a row leads: to its page on the web, if it has one that can be opened.
    var route: Route? {
        webPage.flatMap { $0.url == nil ? nil : .webPage($0) }
    }
}
