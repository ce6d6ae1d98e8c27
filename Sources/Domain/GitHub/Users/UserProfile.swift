#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension GitHub {
    /// Everything that an account tells about itself in public.
    ///
    /// A text that is missing, empty or only white space is `nil`; what is there is trimmed.
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
        /// How many public repositories they have.
        public let publicRepoCount: Int
        /// How many public gists they have.
        public let publicGistCount: Int
        /// How many accounts follow them.
        public let followerCount: Int
        /// How many accounts they follow.
        public let followingCount: Int
        /// When the account was made.
        public let memberSince: Date

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
            publicRepoCount: Int = 0,
            publicGistCount: Int = 0,
            followerCount: Int = 0,
            followingCount: Int = 0,
            memberSince: Date
        ) {
            self.user = user
            self.name = name?.presence
            self.bio = bio?.presence
            self.company = company?.presence
            self.location = location?.presence
            self.blog = blog?.presence.map(WebAddress.init(rawValue:))
            self.publicRepoCount = publicRepoCount
            self.publicGistCount = publicGistCount
            self.followerCount = followerCount
            self.followingCount = followingCount
            self.memberSince = memberSince
        }
    }
}
