@_spi(Services) public import BrowseData
@_spi(Services) public import BrowseDomain
public import BrowseGitHubDomain

extension RemoteGitHubRepository: GitHub.RepoRepository {
    /// Returns one page of a list.
    public func page(of list: GitHub.RepoList, at cursor: PageCursor?) async throws(BrowseError) -> Page<GitHub.Repo> {
        try await client.send(.page(of: list, size: pageSize, at: cursor))
    }

    /// Returns one page of the results of a search.
    public func search(
        _ search: GitHub.RepoSearch,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<GitHub.Repo> {
        try await client.send(.repos(search, size: pageSize, at: cursor))
    }

    /// Returns the details of a code repository by its name.
    public func details(named name: String, of owner: GitHub.Login) async throws(BrowseError) -> GitHub.RepoDetails {
        try await client.send(.repo(at: "/repos/\(owner)/\(name)"))
    }

    /// Returns the details of a code repository by its number.
    public func details(of id: GitHub.Repo.ID) async throws(BrowseError) -> GitHub.RepoDetails {
        try await client.send(.repo(at: "/repositories/\(id)", id: id))
    }

    /// Returns the README; `nil` if there is none.
    public func readme(of id: GitHub.Repo.ID) async throws(BrowseError) -> GitHub.Readme? {
        do throws(BrowseError) {
            return try await client.send(.readme(of: id, by: .gitHub(at: client.baseURL)))
        } catch .notFound {
            return nil
        }
    }
}

extension Endpoint<Page<GitHub.Repo>> {
    /// `GET /users/{username}/repos`, `GET /user/repos` and `GET /user/starred`.
    static func page(of list: GitHub.RepoList, size: Int, at cursor: PageCursor?) -> Self {
        let (path, sort): (EndpointPath, String) =
            switch list {
            case .publicRepos(let owner): ("/users/\(owner)/repos", "updated")
            case .own: ("/user/repos", "updated")
            case .starred: ("/user/starred", "created")
            }
        let query = [QueryItem("sort", sort), QueryItem("direction", "desc")]
        return gitHubList(path, query: query, size: size, at: cursor)
    }

    /// `GET /search/repositories`.
    static func repos(_ search: GitHub.RepoSearch, size: Int, at cursor: PageCursor?) -> Self {
        // The cases have GitHub's names.
        let sort = search.sort == .bestMatch ? nil : search.sort.rawValue
        let order = search.order == .ascending ? "asc" : "desc"
        let items = sort.map { [QueryItem("sort", $0), QueryItem("order", order)] } ?? []
        return .gitHubSearch("/search/repositories", for: search.text, order: items, size: size, at: cursor)
    }
}

extension Endpoint<GitHub.RepoDetails> {
    /// `GET /repos/{owner}/{repo}`, and `GET /repositories/{id}`, to which GitHub redirects old
    /// names.
    static func repo(at path: EndpointPath, id: GitHub.Repo.ID? = nil) -> Self {
        Endpoint(.path(path)) { response in
            let details = try response.json(DTO<GitHub.RepoDetails>.self).entity
            guard id == nil || details.id == id else { throw ResponseFailure { .notFound($0) } }
            return details
        }
    }
}

extension Endpoint<GitHub.Readme> {
    /// `GET /repositories/{id}/readme`, as the bytes of the file.
    static func readme(of id: GitHub.Repo.ID, by evidence: HTTPClient.Service.Evidence) -> Self {
        Endpoint(
            .path("/repositories/\(id)/readme"),
            headers: ["Accept": "application/vnd.github.raw+json"]
        ) { response in
            // Any bytes are a README, so only its type, or GitHub's evidence, which the cache
            // doesn't have, tells it from a portal's page.
            let type = response.mediaType ?? "none"
            let isProven =
                type.hasPrefix("application/vnd.github") || response.provenance != .fresh
                || evidence.isProven(response)
            guard type != "text/html" else { throw ResponseFailure(.contentType(type)) }
            guard isProven else { throw ResponseFailure(.contentType("another type")) }
            // A cache can have the JSON of the same address, whose tag is the same, too.
            guard type != "application/json" else { throw ResponseFailure(.contentType(type)) }
            return GitHub.Readme(response.body)
        }
    }
}

/// GitHub's schemas "repository" and "minimal repository"; most fields are optional in lists.
@_spi(Services) extension GitHub.Repo: JSONReadable {
    /// Reads the fields of an object.
    @_spi(Services) public init(_ json: KeyedDecodingContainer<JSONKey>) throws {
        self.init(
            id: ID(rawValue: try json.required("id")),
            name: try json.required("name"),
            fullName: try json.required("full_name")
        ) {
            $0.owner = json[entity: "owner"]
            $0.summary = json["description"]
            $0.language = json["language"]
            $0.topics = json[list: "topics"]
            $0.license = json[entity: "license"]
            $0.starCount = json["stargazers_count"]
            $0.forkCount = json["forks_count"]
            $0.isFork = json["fork"] ?? false
            $0.isArchived = json["archived"] ?? false
            $0.isPrivate = json["private"] ?? false
            $0.updatedAt = json[date: "updated_at"]
            $0.webPage = json[address: "html_url"]
        }
    }
}

/// GitHub's schema "full repository".
@_spi(Services) extension GitHub.RepoDetails: JSONReadable {
    /// Reads the fields of an object.
    @_spi(Services) public init(_ json: KeyedDecodingContainer<JSONKey>) throws {
        self.init(repo: try GitHub.Repo(json)) {
            $0.isInternal = (json["visibility"] as String?) == "internal"
            $0.openIssueCount = json["open_issues_count"]
            $0.homepage = json[address: "homepage"]
            $0.parent = json[entity: "parent"]
            $0.createdAt = json[date: "created_at"]
            $0.pushedAt = json[date: "pushed_at"]
        }
    }
}

/// GitHub's schema "license simple".
@_spi(Services) extension GitHub.Repo.License: JSONReadable {
    /// Reads the fields of an object.
    @_spi(Services) public init(_ json: KeyedDecodingContainer<JSONKey>) throws {
        self.init(name: try json.required("name"), spdxID: json["spdx_id"])
    }
}
