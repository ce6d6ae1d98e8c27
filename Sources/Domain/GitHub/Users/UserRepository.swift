@_spi(Services) public import BrowseDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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

        /// Returns one page of the accounts that match a text, of which GitHub returns at most 1,000.
        ///
        /// - Throws: `BrowseError`: `.rejected` if GitHub can't parse the qualifiers, `.rateLimited` after ten searches a
        ///   minute (thirty when signed in).
        func search(for text: SearchText, at cursor: PageCursor?) async throws(BrowseError) -> Page<User>
    }
}

extension GitHub {
    /// The public profile of an account.
    ///
    /// Values that GitHub doesn't send are `nil`. Strings are trimmed, and blank ones are `nil`.
    public struct UserProfile: Identifiable, Hashable, Sendable {
        /// The account, as lists show it.
        public let user: User
        /// The display name.
        public let name: String?
        /// The text that users write about themselves.
        public let bio: String?
        /// The employer, often as an organization's `@login`.
        public let company: String?
        /// The location, as free text.
        public let location: String?
        /// The website, which GitHub doesn't validate; it may lack a scheme.
        public let blog: WebAddress?
        /// The number of public repositories.
        public let publicRepoCount: Int?
        /// The number of public gists.
        public let publicGistCount: Int?
        /// The number of followers.
        public let followerCount: Int?
        /// The number of accounts followed.
        public let followingCount: Int?
        /// The date on which the account was created.
        public let memberSince: Date?

        /// The identity of the account.
        public var id: User.ID { user.id }

        /// Creates a profile.
        public init(
            user: User,
            name: String? = nil,
            bio: String? = nil,
            company: String? = nil,
            location: String? = nil,
            blog: String? = nil,
            publicRepoCount: Int? = nil,
            publicGistCount: Int? = nil,
            followerCount: Int? = nil,
            followingCount: Int? = nil,
            memberSince: Date? = nil
        ) {
            self.user = user
            self.name = name?.nonBlank
            self.bio = bio?.nonBlank
            self.company = company?.nonBlank
            self.location = location?.nonBlank
            self.blog = blog?.nonBlank.map(WebAddress.init(rawValue:))
            self.publicRepoCount = publicRepoCount
            self.publicGistCount = publicGistCount
            self.followerCount = followerCount
            self.followingCount = followingCount
            self.memberSince = memberSince
        }
    }
}
