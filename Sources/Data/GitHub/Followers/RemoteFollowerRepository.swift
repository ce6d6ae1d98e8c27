public import BrowseDomain

/// Followers, and the accounts somebody follows, from GitHub's REST API, 100 a page.
public struct RemoteFollowerRepository: GitHub.FollowerRepository {
    private let client: HTTPClient

    /// Creates a repository that asks through a client of ``HTTPClient/Service/gitHub(baseURL:userAgent:now:)``.
    public init(client: HTTPClient) {
        self.client = client
    }

    /// One page of a list; the next one is where the server's `Link` header says, never a guess from the row count.
    public func page(
        of list: GitHub.FollowList,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<GitHub.User> {
        try await client.send(.page(of: list, at: cursor)).page
    }

    /// Every page from a cursor on, in order, several at a time where the `Link` header names the last one.
    public func pages(
        of list: GitHub.FollowList,
        from cursor: PageCursor?,
        concurrency: Int,
        receive: (Page<GitHub.User>) async throws(BrowseError) -> Void
    ) async throws(BrowseError) {
        let sweep = PaginatedFetch(concurrency: concurrency) { [client] cursor throws(BrowseError) in
            try await client.send(.page(of: list, at: cursor))
        }
        try await sweep.run(from: cursor, receive: receive)
    }
}

extension Endpoint<LinkedPage<GitHub.User>> {
    /// `GET /users/{username}/followers` and `GET /users/{username}/following`.
    static func page(of list: GitHub.FollowList, at cursor: PageCursor?) -> Self {
        let path: EndpointPath =
            switch list {
            case .followers(let login): "/users/\(login)/followers"
            case .following(let login): "/users/\(login)/following"
            }
        return Endpoint(
            cursor.map { .page($0, of: path, within: .sameCollection) } ?? .path(path),
            query: [.gitHubPageSize],
            decodingID: "users"
        ) { response in
            let list = try response.json(LossyArray<UserDTO>.self, using: GitHubCoding.decoder)
            return LinkedPage(
                items: list.rows.map(GitHub.User.init),
                skipped: list.skipped,
                link: response.headers["Link"]
            )
        }
    }
}
