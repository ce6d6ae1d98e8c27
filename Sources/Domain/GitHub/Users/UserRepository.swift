@_spi(Services) public import BrowseDomain
public import Foundation

extension GitHub {
    /// Loads accounts.
    ///
    /// Use `InMemoryUserRepository` of BrowseGitHubMocks in tests.
    public protocol UserRepository: Sendable {
        /// Returns the public profile of an account.
        ///
        /// - Throws: `BrowseError`: `.notFound` if the account doesn't exist.
        func profile(of login: Login) async throws(BrowseError) -> UserProfile

        /// Returns the public profile of the account with a number, whatever its login is now.
        ///
        /// - Throws: `BrowseError`: `.notFound` if the account doesn't exist.
        func profile(ofID id: User.ID) async throws(BrowseError) -> UserProfile

        /// Returns the profile of the signed-in user.
        ///
        /// - Throws: `BrowseError`: `.unauthorized` if the token is missing, expired, or revoked.
        func ownProfile() async throws(BrowseError) -> UserProfile

        /// Returns one page of the accounts that match a text, of which GitHub returns at most
        /// 1,000.
        ///
        /// - Throws: `BrowseError`: `.rejected` if GitHub can't parse the qualifiers,
        ///   `.rateLimited` after ten searches a minute (thirty when signed in).
        func search(for text: SearchText, at cursor: PageCursor?) async throws(BrowseError) -> Page<User>
    }

    /// The public profile of an account.
    ///
    /// Values that GitHub doesn't send are `nil`. Strings are trimmed, and blank ones are `nil`.
    public struct UserProfile: Identifiable, Hashable, Sendable {
        /// The account, as lists show it.
        public let user: User
        /// The display name.
        public var name: String?
        /// The text that users write about themselves.
        public var bio: String?
        /// The employer, often as an organization's `@login`.
        public var company: String?
        /// The location, as free text.
        public var location: String?
        /// The website, which GitHub doesn't validate; it may lack a scheme.
        public var blog: WebAddress?
        /// The number of public repositories.
        public var publicRepoCount: Int?
        /// The number of public gists.
        public var publicGistCount: Int?
        /// The number of followers.
        public var followerCount: Int?
        /// The number of accounts followed.
        public var followingCount: Int?
        /// The date on which the account was created.
        public var memberSince: Date?

        /// The identity of the account.
        public var id: User.ID { user.id }

        /// Creates a profile, and sets its other values with a closure.
        public init(user: User, _ fill: (inout Self) -> Void = { _ in }) {
            self.user = user
            fill(&self)
            name = name?.nonBlank
            bio = bio?.nonBlank
            company = company?.nonBlank
            location = location?.nonBlank
            blog = (blog?.rawValue.nonBlank).map(WebAddress.init(rawValue:))
        }
    }
}
