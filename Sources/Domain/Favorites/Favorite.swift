/// Something that a person keeps: what it is, and what its row shows, so that the list needs no network.
///
/// One mechanism for every kind of thing. It is the same favourite whatever its row shows now: ``id`` alone decides.
public enum Favorite: Identifiable, Hashable, Sendable {
    /// An account of GitHub's.
    case user(GitHub.User)
    /// A code repository of GitHub's.
    case repo(GitHub.Repo)

    /// What kind of thing a favourite is; the raw value is what is stored.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// An account of GitHub's.
        case user
        /// A code repository of GitHub's.
        case repo
    }

    /// The identity: the kind, and the service's own number.
    public struct ID: Hashable, Sendable {
        /// What kind of thing it is.
        public let kind: Kind
        /// The service's number for it; it stays when names and pictures change.
        public let number: Int64

        /// Names a favourite.
        public init(kind: Kind, number: Int64) {
            self.kind = kind
            self.number = number
        }

        /// The favourite that an account would be.
        public static func user(_ id: GitHub.User.ID) -> ID {
            ID(kind: .user, number: id.rawValue)
        }

        /// The favourite that a code repository would be.
        public static func repo(_ id: GitHub.Repo.ID) -> ID {
            ID(kind: .repo, number: id.rawValue)
        }
    }

    /// The identity: the kind, and the service's own number.
    public var id: ID {
        switch self {
        case .user(let user): .user(user.id)
        case .repo(let repo): .repo(repo.id)
        }
    }

    /// What it is filtered by and sorted by: the login of an account, owner and name of a code repository.
    public var name: String {
        switch self {
        case .user(let user): user.login.rawValue
        case .repo(let repo): repo.fullName
        }
    }
}
