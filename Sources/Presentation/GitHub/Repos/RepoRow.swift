public import BrowseDomain
public import BrowseGitHubDomain
public import BrowsePresentation

/// A row of a code repository, which also has the properties of the repository.
public struct RepoRow: EntityRow {
    /// The code repository as it was read.
    public let repo: GitHub.Repo
    /// Whether the repository is a favorite.
    public var isFavorite: Bool = false
    /// Whether the user has starred the repository, or the star is being stored.
    public var isStarred: Bool = false
    /// The number of stars, adjusted to match ``isStarred``; `nil` if it's unknown.
    public var starCount: Int?
    /// Whether the sign-in permits starring the repository; `true` if that's unknown.
    public var canStar: Bool = true
    /// The event at which the repository was read; its count includes the user's earlier changes.
    var readAt = 0

    /// Creates a row; lists set both marks when they show the row.
    public init(_ repo: GitHub.Repo) {
        self.repo = repo
        starCount = repo.starCount
    }

    /// The entity.
    public var entity: GitHub.Repo { repo }
    /// The id of the repository.
    public var id: GitHub.Repo.ID { repo.id }
    /// The screen of the repository.
    public var route: Route? { repo.route }

    /// Returns whether two rows show the same, whenever they were read.
    public static func == (left: RepoRow, right: RepoRow) -> Bool {
        left.repo == right.repo && left.isFavorite == right.isFavorite && left.isStarred == right.isStarred
            && left.starCount == right.starCount && left.canStar == right.canStar
    }

    /// Hashes the id.
    public func hash(into hasher: inout Hasher) { hasher.combine(repo.id) }
}
