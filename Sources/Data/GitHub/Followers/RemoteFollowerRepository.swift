package import BrowseData
package import BrowseDomain
package import BrowseGitHubDomain

/// A repository of followers and followed accounts from GitHub's REST API.
package struct RemoteFollowerRepository: GitHub.FollowerRepository {
    private let client: HTTPClient
    private let pageSize: Int

    /// - Parameter pageSize: The number of rows on a page, 1 to 100.
    package init(client: HTTPClient, pageSize: Int = 100) {
        self.client = client
        self.pageSize = GitHub.pageSize(pageSize)
    }

    package func page(
        of list: GitHub.FollowList,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<GitHub.User> {
        try await client.send(.page(of: list, size: pageSize, at: cursor))
    }
}

extension Endpoint<Page<GitHub.User>> {
    /// `GET /users/{username}/followers` and `GET /users/{username}/following`.
    static func page(of list: GitHub.FollowList, size: Int, at cursor: PageCursor?) -> Self {
        let path: EndpointPath =
            switch list {
            case .followers(let login): "/users/\(login)/followers"
            case .following(let login): "/users/\(login)/following"
            }
        return gitHubList(path, size: size, at: cursor)
    }
}
