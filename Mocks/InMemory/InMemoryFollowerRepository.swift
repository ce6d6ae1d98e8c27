public import BrowseDomain

/// Followers, and the accounts somebody follows, that a test or a preview brings along.
///
/// Logins compare without regard to case, as GitHub compares them. An account is known when it owns one of the lists or
/// stands in one; the lists of a known account that were not given are empty. Anybody else is not found.
public struct InMemoryFollowerRepository: GitHub.FollowerRepository {
    private let lists: [GitHub.FollowList: [GitHub.User]]
    private let known: Set<String>
    private let pageSize: Int

    /// Creates a repository of these lists.
    ///
    /// - Parameters:
    ///   - lists: The rows of each list, in order.
    ///   - pageSize: How many rows a page has; below 1 is raised to that.
    public init(lists: [GitHub.FollowList: [GitHub.User]], pageSize: Int = 100) {
        self.lists = Dictionary(lists.map { ($0.key.lookupKey, $0.value) }) { $1 }
        self.known = Set(lists.keys.map(\.owner.lookupKey)).union(lists.values.joined().map(\.login.lookupKey))
        self.pageSize = pageSize
    }

    /// One page of a list.
    ///
    /// - Throws: `.notFound` when nobody has that login, `.refused(.foreignPage)` when the cursor is not one of this list,
    ///   `.cancelled` when the calling task is cancelled.
    public func page(
        of list: GitHub.FollowList,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<GitHub.User> {
        guard !Task.isCancelled else { throw .cancelled }
        let info = BrowseError.RequestInfo(endpoint: "InMemoryFollowerRepository.page(of:at:)")
        let key = list.lookupKey
        guard known.contains(key.owner.rawValue) else { throw .notFound(info) }
        return try RowPages(lists[key] ?? [], of: "\(key)", size: pageSize, endpoint: info.endpoint).page(at: cursor)
    }
}

extension GitHub.FollowList {
    /// What lists are found by.
    fileprivate var lookupKey: GitHub.FollowList {
        switch self {
        case .followers(let login): .followers(of: GitHub.Login(login.lookupKey))
        case .following(let login): .following(by: GitHub.Login(login.lookupKey))
        }
    }
}
