import BrowseDomain
import Foundation

/// GitHub's "simple user": a row of a list. Only what is used is read; addresses stay text.
struct UserDTO: Decodable, Sendable {
    let id: Int64
    let login: String
    let avatarURL: String?
    let htmlURL: String?
    let type: String?

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

/// GitHub's "public user": a profile.
struct UserProfileDTO: Decodable, Sendable {
    let user: UserDTO
    let name: String?
    let bio: String?
    let company: String?
    let location: String?
    let blog: String?
    let publicRepos: Int
    let publicGists: Int
    let followers: Int
    let following: Int
    let createdAt: Date

    private enum CodingKeys: String, CodingKey {
        case name, bio, company, location, blog, followers, following
        case publicRepos = "public_repos"
        case publicGists = "public_gists"
        case createdAt = "created_at"
    }

    init(from decoder: any Decoder) throws {
        user = try UserDTO(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decodeIfPresent(String.self, forKey: .name)
        bio = try container.decodeIfPresent(String.self, forKey: .bio)
        company = try container.decodeIfPresent(String.self, forKey: .company)
        location = try container.decodeIfPresent(String.self, forKey: .location)
        blog = try container.decodeIfPresent(String.self, forKey: .blog)
        publicRepos = try container.decode(Int.self, forKey: .publicRepos)
        publicGists = try container.decode(Int.self, forKey: .publicGists)
        followers = try container.decode(Int.self, forKey: .followers)
        following = try container.decode(Int.self, forKey: .following)
        let text = try container.decode(String.self, forKey: .createdAt)
        guard let date = try? Date(text, strategy: .iso8601) else {
            throw DecodingError.dataCorruptedError(
                forKey: .createdAt,
                in: container,
                debugDescription: "not an ISO 8601 date"
            )
        }
        createdAt = date
    }
}

extension GitHub.UserProfile {
    init(_ dto: UserProfileDTO) {
        self.init(
            user: GitHub.User(dto.user),
            name: dto.name,
            bio: dto.bio,
            company: dto.company,
            location: dto.location,
            blog: dto.blog,
            publicRepoCount: dto.publicRepos,
            publicGistCount: dto.publicGists,
            followerCount: dto.followers,
            followingCount: dto.following,
            memberSince: dto.createdAt
        )
    }
}
