package import BrowseDomain
public import BrowseGitHubDomain
public import BrowsePresentation

/// A screen with the followers of an account, or the accounts that it follows, filtered by login.
public typealias FollowerListViewModel = PagedListViewModel<GitHub.FollowList, UserRow>

extension FollowerListViewModel {
    /// Creates the screen; `show(_:)` loads it.
    package convenience init(
        repository: any GitHub.FollowerRepository,
        favorites: any FavoriteRepository,
        options: ScreenOptions
    ) {
        let options = options.about(.gitHubFollowers).withInput()
        let texts = options.texts
        self.init(options: options) { list in
            switch list {
            case .followers(let login): texts(.followersTitle(login))
            case .following(let login): texts(.followingTitle(login))
            }
        } empty: { list in
            texts.emptyList(list)
        } filtering: { row in
            row.login.rawValue
        } page: { list, cursor throws(BrowseError) in
            try await repository.page(of: list, at: cursor)
        } allPages: { [concurrency = options.pageConcurrency] list in
            { cursor, receive throws(BrowseError) in
                try await repository.pages(of: list, from: cursor, concurrency: concurrency, receive: receive)
            }
        } row: {
            UserRow($0)
        }
        markFavorites(in: favorites)
    }
}
