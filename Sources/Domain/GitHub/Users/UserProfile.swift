#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension GitHub {
    /// The public profile of an account.
    ///
    /// A field that GitHub doesn't send is `nil`. So is a text that is empty or only white space; other texts are trimmed.
    public struct UserProfile: Identifiable, Hashable, Sendable {
        /// The account itself, as lists show it.
        public let user: User
        /// The name a person goes by.
        public let name: String?
        /// What they say of themselves.
        public let bio: String?
        /// Where they work, often `@login` of an organization.
        public let company: String?
        /// Where they live, free text.
        public let location: String?
        /// Their site; GitHub does not check it, so it may lack a scheme.
        public let blog: WebAddress?
        /// The number of public repositories.
        public let publicRepoCount: Int?
        /// The number of public gists.
        public let publicGistCount: Int?
        /// The number of followers.
        public let followerCount: Int?
        /// The number of accounts followed.
        public let followingCount: Int?
        /// The date of joining.
        public let memberSince: Date?

        /// The identity of the account.
        public var id: User.ID { user.id }

        /// Creates a profile; texts are trimmed and emptied ones become `nil`.
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
