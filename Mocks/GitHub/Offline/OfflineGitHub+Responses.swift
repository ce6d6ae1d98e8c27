import BrowseCoreMocks
@_spi(Services) import BrowseData
@_spi(Services) import BrowseDomain
import BrowseGitHubDomain
import Foundation

extension OfflineGitHub {
    /// A response without the fields that all responses have.
    struct Response {
        var status = 200
        var headers = HTTPHeaders()
        var body: Data

        /// An error from a fixture.
        static func failure(_ status: Int, _ name: String) throws -> Response {
            Response(status: status, body: try Fixtures.gitHub["error-\(name)"])
        }
    }

    /// The response of a scenario to all requests; `nil` when it depends on the request.
    static func failure(in scenario: Scenario) throws -> Response? {
        switch scenario {
        case .serverError: try .failure(502, "server")
        case .rateLimited: try .failure(403, "rate-limited")
        case .normal, .empty, .slow, .offline: nil
        }
    }

    /// Responds to a request that only reads.
    static func response(
        to request: HTTPClient.Request,
        at route: GitHubRoute?,
        in scenario: Scenario,
        session: OfflineSession,
        fixtures: GitHubFixtures
    ) throws -> Response {
        guard let route else { return try .failure(404, "not-found") }
        let answers = Answers(
            fixtures: fixtures,
            request: request,
            basePath: route.basePath,
            isEmpty: scenario == .empty,
            session: session
        )
        return try answers.response(to: route.resource)
    }
}

extension OfflineSession {
    /// Responds to a request that changes something; returns `nil` when it only reads.
    mutating func response(
        to request: HTTPClient.Request,
        at resource: GitHubRoute.Resource?,
        fixtures: GitHubFixtures
    ) throws -> OfflineGitHub.Response? {
        let form = FormFields(String(decoding: request.body ?? Data(), as: UTF8.self))
        switch resource {
        case .deviceCode:
            return try json(deviceCode())
        case .accessToken:
            return try json(accessToken(form.values))
        case .revocation:
            let fields = try? JSONDecoder().decode([String: String].self, from: request.body ?? Data())
            guard let token = fields?["access_token"], request.headers["Authorization"]?.hasPrefix("Basic ") == true
            else {
                return try .failure(404, "not-found")
            }
            revoke(token)
            return OfflineGitHub.Response(status: 204, body: Data())
        case .star(let fullName):
            guard let login = self.login(of: request.headers["Authorization"]) else {
                return try .failure(401, "bad-credentials")
            }
            guard let repo = fixtures.repos.repo(fullName: fullName), fixtures.repos.canAccess(repo, as: login) else {
                return try .failure(404, "not-found")
            }
            let wasStarred = fixtures.repos.starred(by: login).contains { $0.fullName == repo.fullName }
            if request.method == .get {
                let isStarred = isStarred(repo.fullName, by: login, inFixtures: wasStarred)
                return isStarred ? OfflineGitHub.Response(status: 204, body: Data()) : try .failure(404, "not-found")
            }
            set(request.method == .put, for: repo.fullName, by: login, inFixtures: wasStarred)
            return OfflineGitHub.Response(status: 204, body: Data())
        default:
            return nil
        }
    }

    private func json(_ fields: [String: any Sendable]) throws -> OfflineGitHub.Response {
        OfflineGitHub.Response(body: try JSONSerialization.data(withJSONObject: fields))
    }
}

/// The decoded fields of a form or query, where `+` is a space. Only the first of each name is
/// used.
private struct FormFields {
    private(set) var values: [String: String] = [:]

    init(_ text: String) {
        for item in text.split(separator: "&") {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let texts = pair.map { $0.replacing("+", with: "%20").removingPercentEncoding }
            guard let name = texts[0], let value = texts.count > 1 ? texts[1] : "" else { continue }
            if values[name] == nil { values[name] = value }
        }
    }
}

/// The responses to one request.
private struct Answers {
    let fixtures: GitHubFixtures
    let request: HTTPClient.Request
    let basePath: String
    let isEmpty: Bool
    let session: OfflineSession

    private var repos: GitHubRepoFixtures { fixtures.repos }
    private var login: String? { session.login(of: request.headers["Authorization"]) }

    func response(to resource: GitHubRoute.Resource) throws -> OfflineGitHub.Response {
        // GitHub rejects an invalid token even where none is needed.
        if login == nil, request.headers["Authorization"] != nil { return try .failure(401, "bad-credentials") }
        switch resource {
        case .profile(let name):
            guard let account = account(name) else { return try .failure(404, "not-found") }
            return try profile(of: account)
        case .ownProfile:
            guard let login, let owner = account(.login(login)) else {
                return try .failure(401, "bad-credentials")
            }
            return try profile(of: owner)
        case .list(let kind, of: let name):
            guard let account = account(name) else { return try .failure(404, "not-found") }
            return page(
                of: fixtures.rows(of: kind, for: account),
                path: "\(basePath)/user/\(account.id)/\(kind.rawValue)"
            )
        case .repos(of: let name):
            guard let account = account(name) else { return try .failure(404, "not-found") }
            return page(
                of: sorted(repos.publicRepos(of: account.id)),
                path: "\(basePath)/user/\(account.id)/repos"
            )
        case .ownRepos:
            guard let login else { return try .failure(401, "bad-credentials") }
            return page(of: sorted(repos.own(of: login)))
        case .starred:
            guard let login else { return try .failure(401, "bad-credentials") }
            return page(of: starred(by: login))
        case .repo(let name):
            guard let repo = repo(name) else { return try .failure(404, "not-found") }
            let counts = [
                "stargazers_count", "watchers_count", "forks_count", "open_issues_count", "forks", "open_issues",
                "watchers",
            ]
            return try one(row(of: repo, in: repos.details[repo.id]), counts: counts)
        case .readme(of: let name):
            guard let repo = repo(name), let readme = repos.readmes[repo.id], !isEmpty else {
                return try .failure(404, "not-found")
            }
            guard request.headers["Accept"]?.contains("raw") == true else {
                return OfflineGitHub.Response(body: readme.json)
            }
            return OfflineGitHub.Response(
                headers: ["Content-Type": "application/vnd.github.raw+json; charset=utf-8"],
                body: readme.text
            )
        case .userSearch:
            return try search { fixtures.accounts(matching: $0).map(\.row) }
        case .repoSearch:
            return try search { text in
                let found = repos.matches(of: text, as: login)
                switch GitHubRepoFixtures.Sort(rawValue: parameter("sort") ?? "") {
                case .stars: return rows(found, by: .stars)
                case .forks: return rows(found, by: .forks)
                case .updated: return rows(found, by: .updated)
                case .fullName, .created, .pushed, nil: return found.map { row(of: $0) }
                }
            }
        case .rateLimit, .star, .deviceCode, .accessToken, .revocation:
            return try .failure(404, "not-found")
        }
    }

    /// A repository that the request names, if its account can access it.
    private func repo(_ name: GitHubRoute.Repo) -> GitHubRepoFixtures.Repo? {
        let repo =
            switch name {
            case .fullName(let name): repos.repo(fullName: name)
            case .id(let id): repos.all.first { $0.id == id }
            }
        return repo.flatMap { repos.canAccess($0, as: login) ? $0 : nil }
    }

    /// A repository's row or details, with the current number of stars.
    private func row(of repo: GitHubRepoFixtures.Repo, in details: Data? = nil) -> Data {
        let surplus = session.surplus(of: repo.fullName)
        let row = details ?? repo.row
        guard surplus != 0, var fields = try? JSONSerialization.jsonObject(with: row) as? [String: Any] else {
            return row
        }
        for count in ["stargazers_count", "watchers_count", "watchers"] where fields[count] != nil {
            fields[count] = repo.stars + surplus
        }
        return (try? JSONSerialization.data(withJSONObject: fields)) ?? row
    }

    private func profile(of account: GitHubFixtures.Account) throws -> OfflineGitHub.Response {
        try one(try fixtures.profile(of: account), counts: ["followers", "following", "public_repos", "public_gists"])
    }

    private func account(_ name: GitHubRoute.Account) -> GitHubFixtures.Account? {
        switch name {
        case .login(let login): fixtures.account(login: login)
        case .id(let id): fixtures.account(id: id)
        }
    }

    /// One object; in `Scenario.empty`, its counts are zero.
    private func one(_ body: Data, counts: [String]) throws -> OfflineGitHub.Response {
        guard isEmpty, var fields = try JSONSerialization.jsonObject(with: body) as? [String: Any] else {
            return OfflineGitHub.Response(body: body)
        }
        for count in counts where fields[count] != nil { fields[count] = 0 }
        return OfflineGitHub.Response(body: try JSONSerialization.data(withJSONObject: fields))
    }

    /// A page of a list.
    private func page(of rows: [Data], path: String? = nil) -> OfflineGitHub.Response {
        page(of: FixtureRows(rows), path: path)
    }

    /// A page of a list.
    private func page(of rows: FixtureRows, path: String? = nil) -> OfflineGitHub.Response {
        let paging = GitHubPaging(of: request, count: isEmpty ? 0 : rows.count, path: path)
        var response = OfflineGitHub.Response(body: Data(jsonRows: rows[paging.rows]))
        response.headers["Link"] = paging.link
        return response
    }

    /// A page of search results.
    private func search(_ find: (String) -> [Data]) throws -> OfflineGitHub.Response {
        guard let text = parameter("q")?.trimmingCharacters(in: .whitespacesAndNewlines), !text.isEmpty else {
            return try .failure(422, "search-query")
        }
        let found = isEmpty ? [] : find(text)
        let paging = GitHubPaging(of: request, count: min(found.count, GitHub.searchResultLimit))
        guard !paging.isPastSearchLimit else { return try .failure(422, "search-limit") }
        let items = found[paging.rows].map { $0.dropLast() + Data(",\"score\":1.0}".utf8) }
        let head = "{\"total_count\":\(found.count),\"incomplete_results\":false,\"items\":"
        var response = OfflineGitHub.Response(body: Data(head.utf8) + Data(jsonRows: items) + Data("}".utf8))
        response.headers["Link"] = paging.link
        return response
    }

    /// A list of repositories in the requested order; the default is by name, as on GitHub.
    private func sorted(_ list: [GitHubRepoFixtures.Repo]) -> [Data] {
        let orders: [GitHubRepoFixtures.Sort] = [.created, .updated, .pushed]
        guard let sort = orders.first(where: { $0.rawValue == parameter("sort") }) else {
            let isDescending = parameter("direction") == "desc"
            return GitHubRepoFixtures.sorted(list, by: .fullName, descending: isDescending).map { row(of: $0) }
        }
        return GitHubRepoFixtures.sorted(list, by: sort, descending: parameter("direction") != "asc").map {
            row(of: $0)
        }
    }

    /// An account's starred repositories; by default, the latest star comes first.
    private func starred(by login: String) -> [Data] {
        let isAscending = parameter("direction") == "asc"
        let removed = session.removed(by: login)
        let starred =
            session.added(by: login).compactMap { repos.repo(fullName: $0) }
            + repos.starred(by: login).filter { !removed.contains($0.fullName) }
        if parameter("sort") == "updated" {
            return GitHubRepoFixtures.sorted(starred, by: .updated, descending: !isAscending).map { row(of: $0) }
        }
        let rows = starred.map { row(of: $0) }
        return isAscending ? rows.reversed() : rows
    }

    private func rows(_ found: [GitHubRepoFixtures.Repo], by sort: GitHubRepoFixtures.Sort) -> [Data] {
        GitHubRepoFixtures.sorted(found, by: sort, descending: parameter("order") != "asc").map { row(of: $0) }
    }

    /// A query item.
    private func parameter(_ name: String) -> String? {
        let parts = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
        return FormFields(parts?.percentEncodedQuery ?? "").values[name]
    }
}
