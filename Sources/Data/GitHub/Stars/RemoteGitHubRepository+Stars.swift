@_spi(Services) import BrowseData
public import BrowseDomain
public import BrowseGitHubDomain
import Foundation

extension RemoteGitHubRepository: GitHub.StarRepository {
    /// Loads all pages of the starred list in order.
    ///
    /// If `Link` announces the last page, they are loaded concurrently, also behind one that fails.
    public func starred(receive: (Page<GitHub.Repo.ID>) async throws(BrowseError) -> Void) async throws(BrowseError) {
        let name = Endpoint.starred(size: pageSize, at: nil).name
        let fetch = PaginatedFetch(of: name, concurrency: concurrency, skipsFailedPages: true) {
            [client, pageSize] cursor throws(BrowseError) in
            try await client.send(.starred(size: pageSize, at: cursor)).map(\.id)
        }
        try await fetch.run(from: nil, receive: receive)
    }

    /// Stars or unstars a code repository.
    public func set(_ isStarred: Bool, for repo: GitHub.Repo) async throws(BrowseError) {
        try await client.send(.star(isStarred ? .put : .delete, repo))
    }

    /// Returns whether a code repository is starred.
    public func isStarred(_ repo: GitHub.Repo) async throws(BrowseError) -> Bool {
        do throws(BrowseError) {
            try await client.send(.star(.get, repo))
            return true
        } catch .notFound {
            return false
        }
    }

    /// Returns a code repository with its present name and number of stars, found by its number.
    public func current(_ repo: GitHub.Repo) async throws(BrowseError) -> GitHub.Repo? {
        try await client.send(.repo(at: "/repositories/\(repo.id)", id: repo.id)).repo
    }
}

extension Endpoint<Page<StarredRepo>> {
    /// `GET /user/starred`, decoding only the IDs.
    fileprivate static func starred(size: Int, at cursor: PageCursor?) -> Self {
        gitHubList("/user/starred", size: size, at: cursor)
    }
}

extension Endpoint<Void> {
    /// `PUT`, `DELETE`, or `GET /user/starred/{owner}/{repo}`, which succeeds if it's starred.
    fileprivate static func star(_ method: HTTPMethod, _ repo: GitHub.Repo) -> Self {
        // Not every response has an owner. An empty part makes the path invalid.
        let parts = repo.fullName.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return Endpoint(
            method: method,
            .path("/user/starred/\(GitHub.Login(parts[0]))/\(parts.count == 2 ? parts[1] : "")"),
            decode: HTTPClient.Response.expectNoContent
        )
    }
}

/// A code repository in a list, of which only the ID counts.
private struct StarredRepo: JSONReadable {
    let id: GitHub.Repo.ID

    init(_ json: KeyedDecodingContainer<JSONKey>) throws { id = GitHub.Repo.ID(rawValue: try json.required("id")) }
}
