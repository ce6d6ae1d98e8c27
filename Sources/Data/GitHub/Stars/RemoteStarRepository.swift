public import BrowseDomain
import Foundation

/// The stars of whoever is signed in, from GitHub's REST API.
public struct RemoteStarRepository: GitHub.StarRepository {
    private let client: HTTPClient
    private let concurrency: Int

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - client: A client of ``HTTPClient/Service/gitHub(baseURL:userAgent:now:)``.
    ///   - concurrency: How many pages are asked for at once, 1 to 100.
    public init(client: HTTPClient, concurrency: Int = 4) {
        self.client = client
        self.concurrency = concurrency
    }

    /// Every page of what the person has starred, several at a time where the `Link` header names the last one.
    public func starred(
        receive: (Page<GitHub.Repo.ID>) async throws(BrowseError) -> Void
    ) async throws(BrowseError) {
        let sweep = PaginatedFetch(concurrency: concurrency) { [client] cursor throws(BrowseError) in
            try await client.send(.starredIDs(at: cursor))
        }
        try await sweep.run(from: nil, receive: receive)
    }

    /// Stars a code repository, or takes the star back.
    public func set(_ isStarred: Bool, for repo: GitHub.Repo) async throws(BrowseError) {
        try await client.send(.star(repo, isStarred: isStarred))
    }

    /// Asks GitHub whether a code repository is starred.
    public func isStarred(_ repo: GitHub.Repo) async throws(BrowseError) -> Bool {
        do throws(BrowseError) {
            try await client.send(.isStarred(repo))
            return true
        } catch .notFound {
            return false
        }
    }
}

extension Endpoint<LinkedPage<GitHub.Repo.ID>> {
    /// `GET /user/starred`, of which only the numbers are read.
    fileprivate static func starredIDs(at cursor: PageCursor?) -> Self {
        let path: EndpointPath = "/user/starred"
        return Endpoint(
            cursor.map { .page($0, of: path, within: .sameCollection) } ?? .path(path),
            query: [.gitHubPageSize],
            decodingID: "starred"
        ) { response in
            let list = try response.json(LossyArray<RepoIDDTO>.self, using: GitHubCoding.decoder)
            return LinkedPage(
                items: list.rows.map { GitHub.Repo.ID(rawValue: $0.id) },
                skipped: list.skipped,
                link: response.headers["Link"]
            )
        }
    }
}

extension Endpoint<Void> {
    /// `PUT` and `DELETE /user/starred/{owner}/{repo}`.
    fileprivate static func star(_ repo: GitHub.Repo, isStarred: Bool) -> Self {
        Endpoint(
            method: isStarred ? .put : .delete,
            .path(starPath(of: repo)),
            // GitHub asks for `Content-Length: 0`, which an empty body brings.
            body: isStarred ? Data() : nil
        ) { _ in }
    }

    /// `GET /user/starred/{owner}/{repo}`: 204 when starred, else 404.
    fileprivate static func isStarred(_ repo: GitHub.Repo) -> Self {
        Endpoint(.path(starPath(of: repo))) { _ in }
    }

    private static func starPath(of repo: GitHub.Repo) -> EndpointPath {
        // The full name has both parts; not every response has an owner.
        let parts = repo.fullName.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let (owner, name) = parts.count == 2 ? (parts[0], parts[1]) : ("", repo.name)
        return "/user/starred/\(GitHub.Login(owner))/\(name)"
    }
}

/// The number of a code repository in a list.
private struct RepoIDDTO: Decodable, Sendable {
    let id: Int64

    private enum CodingKeys: String, CodingKey {
        case id
    }
}
