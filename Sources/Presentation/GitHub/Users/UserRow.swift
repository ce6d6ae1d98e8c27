public import BrowseDomain
public import BrowseGitHubDomain
public import BrowsePresentation

/// A row of an account, which also has the properties of the account.
public struct UserRow: EntityRow {
    /// The account.
    public let user: GitHub.User
    /// Whether the account is a favorite.
    public var isFavorite: Bool = false

    /// Creates a row; a list with favorites sets `isFavorite` when it shows the row.
    public init(_ user: GitHub.User) { self.user = user }

    /// The entity.
    public var entity: GitHub.User { user }
    /// The id of the account.
    public var id: GitHub.User.ID { user.id }
    /// The account's profile, by number: an account can be renamed, and GitHub doesn't find bots by
    /// login.
    public var route: Route? { .gitHub(.account(user.id, label: user.login)) }
}
