import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import Foundation

/// GitHub's "simple user", which is a row of a list; URLs stay text.
struct UserDTO: Decodable, Sendable {
    let id: Int64
    let login: String
    @Lenient var avatarURL: String?
    @Lenient var htmlURL: String?
    @Lenient var type: String?

    private enum CodingKeys: String, CodingKey {
        case id, login, type
        case avatarURL = "avatar_url"
        case htmlURL = "html_url"
    }
}

extension GitHub.User {
    init(_ dto: UserDTO) {
        self.init(
            id: ID(rawValue: dto.id),
            login: GitHub.Login(dto.login),
            avatar: dto.avatarURL.flatMap { $0.isEmpty ? nil : WebAddress(rawValue: $0) },
            webPage: dto.htmlURL.flatMap { $0.isEmpty ? nil : WebAddress(rawValue: $0) },
            kind: dto.type.map(Kind.init(rawValue:)) ?? .user
        )
    }
}

/// GitHub's "public user", which is a profile.
struct UserProfileDTO: Decodable, Sendable {
    /// The fields that lists don't have.
    struct Fields: Decodable, Sendable {
        @Lenient var name: String?
        @Lenient var bio: String?
        @Lenient var company: String?
        @Lenient var location: String?
        @Lenient var blog: String?
        @Lenient var publicRepos: Int?
        @Lenient var publicGists: Int?
        @Lenient var followers: Int?
        @Lenient var following: Int?
        @Lenient var createdAt: String?

        private enum CodingKeys: String, CodingKey {
            case name, bio, company, location, blog, followers, following
            case publicRepos = "public_repos"
            case publicGists = "public_gists"
            case createdAt = "created_at"
        }
    }

    let user: UserDTO
    let fields: Fields

    init(from decoder: any Decoder) throws {
        user = try UserDTO(from: decoder)
        fields = try Fields(from: decoder)
    }
}

extension GitHub.UserProfile {
    init(_ profile: UserProfileDTO) {
        let dto = profile.fields
        self.init(
            user: GitHub.User(profile.user),
            name: dto.name,
            bio: dto.bio,
            company: dto.company,
            location: dto.location,
            blog: dto.blog,
            publicRepoCount: dto.publicRepos,
            publicGistCount: dto.publicGists,
            followerCount: dto.followers,
            followingCount: dto.following,
            memberSince: dto.createdAt.flatMap { try? Date($0, strategy: .iso8601) }
        )
    }
}
