extension GitHub {
    /// An account as it stands in a list of accounts: what a row shows.
    public struct User: Identifiable, Hashable, Codable, Sendable {
        /// GitHub's number for an account; it stays when the login changes.
        public struct ID: RawRepresentable, Hashable, Codable, Sendable {
            /// The number, 64 bit as in GitHub's OpenAPI description.
            public let rawValue: Int64

            /// Takes the number that the server gave.
            public init(rawValue: Int64) {
                self.rawValue = rawValue
            }
        }

        /// What kind of account it is; an open set, since GitHub adds kinds.
        public struct Kind: RawRepresentable, Hashable, Codable, Sendable {
            /// The server's word for it.
            public let rawValue: String

            /// Takes the server's word, known or not.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// A person.
            public static let user: Kind = Kind(rawValue: "User")
            /// An organization.
            public static let organization: Kind = Kind(rawValue: "Organization")
            /// An app's account, whose login ends in `[bot]`.
            public static let bot: Kind = Kind(rawValue: "Bot")
            /// A stand-in for somebody whose work was imported.
            public static let mannequin: Kind = Kind(rawValue: "Mannequin")
        }

        /// The identity: two values with the same id are the same account.
        public let id: ID
        /// The account's current name.
        public let login: Login
        /// Where the picture is, when the server said so.
        public let avatar: WebAddress?
        /// The account's page on the web, when the server said so.
        public let webPage: WebAddress?
        /// What kind of account it is.
        public let kind: Kind

        /// Creates a row; used by mappers and tests.
        public init(id: ID, login: Login, avatar: WebAddress? = nil, webPage: WebAddress? = nil, kind: Kind = .user) {
            self.id = id
            self.login = login
            self.avatar = avatar
            self.webPage = webPage
            self.kind = kind
        }
    }
}
