/// Something that a person keeps: what it is, and what its row shows, so that the list needs no network.
///
/// One mechanism for every kind of thing. It is the same favourite whatever its row shows now: ``id`` alone decides.
public enum Favorite: Identifiable, Hashable, Sendable {
    /// An account of GitHub's.
    case user(GitHub.User)
    /// A code repository of GitHub's.
    case repo(GitHub.Repo)
    /// A character of Rick and Morty.
    case character(RickAndMorty.Character)
    /// An app of the App Store.
    case app(AppStore.App)

    /// What kind of thing a favourite is; the raw value is what is stored.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// An account of GitHub's.
        case user
        /// A code repository of GitHub's.
        case repo
        /// A character of Rick and Morty.
        case character
        /// An app of the App Store.
        case app
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

        /// The favourite that a character would be.
        public static func character(_ id: RickAndMorty.Character.ID) -> ID {
            ID(kind: .character, number: id.rawValue)
        }

        /// The favourite that an app would be.
        public static func app(_ id: AppStore.AppID) -> ID {
            ID(kind: .app, number: id.rawValue)
        }
    }

    /// The identity: the kind, and the service's own number.
    public var id: ID {
        switch self {
        case .user(let user): .user(user.id)
        case .repo(let repo): .repo(repo.id)
        case .character(let character): .character(character.id)
        case .app(let app): .app(app.id)
        }
    }

    /// What it is filtered by and sorted by: the login of an account, owner and name of a code repository, otherwise the name.
    public var name: String {
        switch self {
        case .user(let user): user.login.rawValue
        case .repo(let repo): repo.fullName
        case .character(let character): character.name
        case .app(let app): app.name
        }
    }
}
