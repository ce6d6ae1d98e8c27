public import BrowseDomain

extension GitHub {
    /// An account, as GitHub's lists describe it.
    public struct User: Identifiable, Hashable, Codable, Sendable {
        /// The kind of an account; an open set.
        public struct Kind: RawRepresentable, Hashable, Codable, Sendable {
            /// The server's value.
            public let rawValue: String

            /// Creates a kind from the server's value, known or not.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// The account of a person.
            public static let user: Kind = Kind(rawValue: "User")
            /// The account of an organization.
            public static let organization: Kind = Kind(rawValue: "Organization")
            /// An app's account, whose login ends in `[bot]`.
            public static let bot: Kind = Kind(rawValue: "Bot")
            /// A placeholder for the author of imported work.
            public static let mannequin: Kind = Kind(rawValue: "Mannequin")
        }

        /// GitHub's number, which doesn't change with the login.
        public let id: NumericID<User>
        /// The current login.
        public let login: Login
        /// The avatar's address; `nil` if the server didn't report it.
        public let avatar: WebAddress?
        /// The account's web page; `nil` if the server didn't report it.
        public let webPage: WebAddress?
        /// The kind of account.
        public let kind: Kind

        /// Creates an account.
        public init(id: ID, login: Login, avatar: WebAddress? = nil, webPage: WebAddress? = nil, kind: Kind = .user) {
            self.id = id
            self.login = login
            self.avatar = avatar
            self.webPage = webPage
            self.kind = kind
        }
    }
}

// The raw value is stored, so it must never change.
extension Favorite.Kind {
    /// A GitHub account.
    public static let user: Favorite.Kind = Favorite.Kind(rawValue: "user")
}

extension GitHub.User: Favoritable {
    /// The kind ``Favorite/Kind/user``.
    public static var favoriteKind: Favorite.Kind { .user }
    /// The account's number.
    public var favoriteKey: String { String(id.rawValue) }
    /// The login, by which favorites are sorted.
    public var favoriteTitle: String { login.rawValue }
    /// The avatar.
    public var favoriteImage: WebAddress? { avatar }
}
