package import BrowseData
package import BrowseDomain
package import BrowseGitHubDomain
import Foundation

/// A repository of code repositories from GitHub's REST API.
package struct RemoteRepoRepository: GitHub.RepoRepository {
    private let client: HTTPClient
    private let pageSize: Int

    /// - Parameter pageSize: The number of rows on a page, 1 to 100.
    package init(client: HTTPClient, pageSize: Int = 100) {
        self.client = client
        self.pageSize = GitHub.pageSize(pageSize)
    }

    package func page(of list: GitHub.RepoList, at cursor: PageCursor?) async throws(BrowseError) -> Page<GitHub.Repo> {
        try await client.send(.page(of: list, size: pageSize, at: cursor)).page
    }

    package func search(
        _ search: GitHub.RepoSearch,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<GitHub.Repo> {
        try await client.send(.repos(search, size: pageSize, at: cursor))
    }

    package func repo(named name: String, of owner: GitHub.Login) async throws(BrowseError) -> GitHub.Repo {
        try await client.send(.repo(named: name, of: owner))
    }
}

extension Endpoint<LinkedPage<GitHub.Repo>> {
    /// `GET /users/{username}/repos`, `GET /user/repos` and `GET /user/starred`.
    static func page(of list: GitHub.RepoList, size: Int, at cursor: PageCursor?) -> Self {
        let (path, sort): (EndpointPath, String) =
            switch list {
            case .publicRepos(let owner): ("/users/\(owner)/repos", "updated")
            case .own: ("/user/repos", "updated")
            case .starred: ("/user/starred", "created")
            }
        let query = [QueryItem("sort", sort), QueryItem("direction", "desc")]
        return gitHubList(path, query: query, size: size, at: cursor) { (dto: RepoDTO) in GitHub.Repo(dto) }
    }
}

extension Endpoint<Page<GitHub.Repo>> {
    /// `GET /search/repositories`.
    static func repos(_ search: GitHub.RepoSearch, size: Int, at cursor: PageCursor?) -> Self {
        let sort: String? =
            switch search.sort {
            case .bestMatch: nil
            case .stars: "stars"
            case .forks: "forks"
            case .helpWantedIssues: "help-wanted-issues"
            case .updated: "updated"
            }
        let order =
            switch search.order {
            case .descending: "desc"
            case .ascending: "asc"
            }
        let items = sort.map { [QueryItem("sort", $0), QueryItem("order", order)] } ?? []
        return .gitHubSearch("/search/repositories", for: search.text, order: items, size: size, at: cursor) {
            (dto: RepoDTO) in GitHub.Repo(dto)
        }
    }
}

extension Endpoint<GitHub.Repo> {
    /// `GET /repos/{owner}/{repo}`.
    static func repo(named name: String, of owner: GitHub.Login) -> Self {
        Endpoint(.path("/repos/\(owner)/\(name)")) { response in
            GitHub.Repo(try response.json(RepoDTO.self))
        }
    }
}

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
