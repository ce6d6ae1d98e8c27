import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import Foundation

/// GitHub's schemas "repository" and "minimal repository"; most fields are optional in lists.
struct RepoDTO: Decodable, Sendable {
    let id: Int64
    let name: String
    let fullName: String
    @Lenient var owner: UserDTO?
    @Lenient var description: String?
    @Lenient var language: String?
    @Lenient var topics: [String]?
    @Lenient var license: LicenseDTO?
    @Lenient var stargazersCount: Int?
    @Lenient var forksCount: Int?
    @Lenient var fork: Bool?
    @Lenient var archived: Bool?
    @Lenient var isPrivate: Bool?
    @Lenient var updatedAt: String?
    @Lenient var htmlURL: String?

    private enum CodingKeys: String, CodingKey {
        case id, name, owner, description, language, topics, license, fork, archived
        case fullName = "full_name"
        case stargazersCount = "stargazers_count"
        case forksCount = "forks_count"
        case isPrivate = "private"
        case updatedAt = "updated_at"
        case htmlURL = "html_url"
    }
}

/// GitHub's schema "license simple".
struct LicenseDTO: Decodable, Sendable {
    let key: String
    let name: String
    @Lenient var spdxID: String?

    private enum CodingKeys: String, CodingKey {
        case key, name
        case spdxID = "spdx_id"
    }
}

extension GitHub.Repo {
    init(_ dto: RepoDTO) {
        self.init(
            id: ID(rawValue: dto.id),
            name: dto.name,
            fullName: dto.fullName,
            owner: dto.owner.map(GitHub.User.init),
            summary: dto.description,
            language: dto.language,
            topics: dto.topics ?? [],
            license: dto.license.map { License(key: $0.key, name: $0.name, spdxID: $0.spdxID) },
            starCount: dto.stargazersCount,
            forkCount: dto.forksCount,
            isFork: dto.fork ?? false,
            isArchived: dto.archived ?? false,
            isPrivate: dto.isPrivate ?? false,
            updatedAt: dto.updatedAt.flatMap { try? Date($0, strategy: .iso8601) },
            webPage: dto.htmlURL.flatMap { $0.isEmpty ? nil : WebAddress(rawValue: $0) }
        )
    }
}
