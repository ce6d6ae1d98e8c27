public import BrowseData
package import BrowseDomain
public import BrowseGitHubDomain
import Foundation

/// A repository of accounts from GitHub's REST API.
package struct RemoteUserRepository: GitHub.UserRepository {
    private let client: HTTPClient
    private let pageSize: Int

    /// - Parameter pageSize: The number of rows on a page, 1 to 100.
    package init(client: HTTPClient, pageSize: Int = 100) {
        self.client = client
        self.pageSize = GitHub.pageSize(pageSize)
    }

    package func profile(of login: GitHub.Login) async throws(BrowseError) -> GitHub.UserProfile {
        try await client.send(.profile(of: login))
    }

    package func profile(ofID id: GitHub.User.ID) async throws(BrowseError) -> GitHub.UserProfile {
        try await client.send(.profile(ofID: id))
    }

    package func ownProfile() async throws(BrowseError) -> GitHub.UserProfile {
        try await client.send(.ownProfile)
    }

    package func search(
        for text: GitHub.SearchText,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<GitHub.User> {
        try await client.send(.users(matching: text, size: pageSize, at: cursor))
    }
}

extension Endpoint<GitHub.UserProfile> {
    /// `GET /users/{username}`.
    static func profile(of login: GitHub.Login) -> Self { profile(at: "/users/\(login)") }

    /// `GET /user/{account_id}`.
    static func profile(ofID id: GitHub.User.ID) -> Self { profile(at: "/user/\([id.rawValue])") }

    /// `GET /user`.
    static var ownProfile: Self { profile(at: "/user") }

    private static func profile(at path: EndpointPath) -> Self {
        Endpoint(.path(path)) { response in
            GitHub.UserProfile(try response.json(UserProfileDTO.self))
        }
    }
}

extension Endpoint<Page<GitHub.User>> {
    /// `GET /search/users`.
    static func users(matching text: GitHub.SearchText, size: Int, at cursor: PageCursor?) -> Self {
        .gitHubSearch("/search/users", for: text, size: size, at: cursor) { (dto: UserDTO) in GitHub.User(dto) }
    }
}

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

extension EndpointPath.StringInterpolation {
    /// Appends a login as one segment; an invalid login makes the path invalid (`GitHub.Login.isValid`).
    public mutating func appendInterpolation(_ login: GitHub.Login) {
        appendInterpolation(login.rawValue, isValid: login.isValid)
    }
}
