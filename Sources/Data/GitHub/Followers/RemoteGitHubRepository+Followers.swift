import BrowseData
public import BrowseDomain
public import BrowseGitHubDomain

extension RemoteGitHubRepository: GitHub.FollowerRepository {
    /// Returns one page of followers or followed accounts.
    public func page(of list: GitHub.FollowList, at cursor: PageCursor?) async throws(BrowseError) -> Page<GitHub.User>
    {
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
