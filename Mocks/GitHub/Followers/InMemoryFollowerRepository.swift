public import BrowseCoreMocks
public import BrowseDomain
public import BrowseGitHubDomain

/// A follower repository in memory, for tests and previews.
///
/// Logins compare in any case, as on GitHub. An account exists if it owns a list or is in one; its
/// other lists are empty.
///
/// `ControlledResponses` release responses in any order:
///
/// ```swift
/// let held = ControlledResponses<InMemoryFollowerRepository.Call, Page<GitHub.User>>()
/// let followers = InMemoryFollowerRepository(onCall: held.response)
/// let page = Task { try await followers.page(of: .followers(of: octocat), at: nil) }
/// await held.waitForRequests(1)
/// held.answer(0, with: .success(Page(items: [mona])))
/// ```
public struct InMemoryFollowerRepository: GitHub.FollowerRepository {
    /// A call.
    public enum Call: Hashable, Sendable {
        /// A page of a list.
        case page(of: GitHub.FollowList, at: PageCursor?)
    }

    private let lists: [GitHub.FollowList: [GitHub.User]]
    private let known: Set<String>
    private let pageSize: Int
    private let onCall: CallHook<Call, Page<GitHub.User>>?

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - lists: The rows of each list, in order.
    ///   - pageSize: The number of rows of a page; clamped to at least 1.
    ///   - onCall: Runs before each call.
    public init(
        lists: [GitHub.FollowList: [GitHub.User]] = [:],
        pageSize: Int = 100,
        onCall: CallHook<Call, Page<GitHub.User>>? = nil
    ) {
        self.lists = Dictionary(lists.map { ($0.key.lookupKey, $0.value) }) { $1 }
        self.known = Set(lists.keys.map(\.owner.lookupKey)).union(lists.values.joined().map(\.login.lookupKey))
        self.pageSize = pageSize
        self.onCall = onCall
    }

    /// Returns a page of a list.
    ///
    /// - Throws: `.notFound` for an unknown login, `.refused(.foreignPage)` for another list's
    ///   cursor, or `.cancelled`.
    public func page(
        of list: GitHub.FollowList,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<GitHub.User> {
        if let answer = try await onCall?(.page(of: list, at: cursor)) { return answer }
        guard !Task.isCancelled else { throw .cancelled }
        let info = BrowseError.RequestInfo(endpoint: "InMemoryFollowerRepository.page(of:at:)")
        let key = list.lookupKey
        guard known.contains(key.owner.rawValue) else { throw .notFound(info) }
        return try RowPages(lists[key] ?? [], of: "\(key)", size: pageSize, endpoint: info.endpoint).page(at: cursor)
    }
}

extension GitHub.FollowList {
    /// The key of a list.
    fileprivate var lookupKey: GitHub.FollowList {
        switch self {
        case .followers(let login): .followers(of: GitHub.Login(login.lookupKey))
        case .following(let login): .following(by: GitHub.Login(login.lookupKey))
        }
    }
}
