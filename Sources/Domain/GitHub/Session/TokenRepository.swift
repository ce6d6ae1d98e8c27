extension GitHub {
    /// Where the token of whoever is signed in is kept, and renewed before it ends.
    ///
    /// Choose `StoredTokenRepository` of BrowseData, which requests take their token from, or `InMemoryTokenRepository` of
    /// BrowseMocks in tests.
    public protocol TokenRepository: Sendable {
        /// What is in use; the first call reads what was stored.
        ///
        /// - Throws: ``BrowseError``: `.storageFailed` when something is stored that cannot be used, or the device is still locked
        ///   after its start; then nothing is in use, and the next call reads again.
        func current() async throws(BrowseError) -> Grant?

        /// Stores credentials and puts them in use, in place of what was.
        ///
        /// - Throws: ``BrowseError``: `.storageFailed` when they could not be stored; then nothing is in use.
        func begin(with credentials: Credentials) async throws(BrowseError) -> Grant

        /// Notes whose the credentials are; does nothing when the grant is over.
        func identify(_ grant: Grant.ID, as user: User) async

        /// Puts what is in use out of use, and deletes it.
        ///
        /// - Throws: ``BrowseError``: `.storageFailed` when it could not be deleted; it is out of use all the same.
        func end() async throws(BrowseError)

        /// Asks GitHub to take credentials back, where the configuration allows that.
        func revoke(_ credentials: Credentials) async throws(BrowseError)

        /// The changes that no caller made, from now on.
        var events: AsyncStream<TokenEvent> { get }
    }

    /// A change of the token that no caller of ``TokenRepository`` made.
    public enum TokenEvent: Hashable, Sendable {
        /// GitHub ended a grant; reported once, however many requests it refused.
        case revoked(Grant.ID)
        /// The user signed out in another process that shares the stored credentials.
        case signedOut(Grant.ID)
        /// The stored credentials could be read, or found missing, after the device's first unlock.
        case unlocked
    }

    /// Credentials in use; renewing them keeps the grant, signing in again makes another.
    public struct Grant: Hashable, Sendable, Identifiable {
        /// Tells the grants of one repository apart.
        public struct ID: RawRepresentable, Hashable, Sendable {
            /// A number that is not used again.
            public let rawValue: Int

            /// Takes a number.
            public init(rawValue: Int) {
                self.rawValue = rawValue
            }
        }

        /// The grant.
        public let id: ID
        /// What it consists of now.
        public var credentials: Credentials {
            get {
                switch stored {
                case .credentials(let credentials): credentials
                }
            }
            set { stored = .credentials(newValue) }
        }

        /// On the heap, since every request that waits holds a grant.
        private indirect enum Stored: Hashable, Sendable {
            case credentials(Credentials)
        }

        private var stored: Stored

        /// Creates a grant; used by repositories and tests.
        public init(id: ID, credentials: Credentials) {
            self.id = id
            stored = .credentials(credentials)
        }
    }
}
