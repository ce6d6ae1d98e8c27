public import BrowseDomain
public import Foundation

extension GitHub {
    /// The public profile of an account.
    ///
    /// Values that GitHub doesn't send, or that are blank, are `nil`.
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
        }
    }
}
