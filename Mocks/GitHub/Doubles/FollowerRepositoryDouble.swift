public import BrowseCoreMocks
public import BrowseDomain
public import BrowseGitHubDomain

/// A follower repository whose results a test sets as a closure; see `RepositoryDouble`.
///
/// `ControlledResponses` release responses in any order:
///
/// ```swift
/// let held = ControlledResponses<FollowerRepositoryDouble.Request, Page<GitHub.User>>()
/// let followers = FollowerRepositoryDouble.controlled(by: held)
/// let page = Task { try await followers.page(of: .followers(of: octocat), at: nil) }
/// await held.waitForRequests(1)
/// held.answer(0, with: .success(Page(items: [mona])))
/// ```
public struct FollowerRepositoryDouble: GitHub.FollowerRepository, RepositoryDouble {
    /// A call.
    public enum Request: Hashable, Sendable {
        /// A page of a list.
        case page(of: GitHub.FollowList, at: PageCursor?)
    }

    /// Performs ``page(of:at:)``, and `pages(of:from:concurrency:receive:)` page by page.
    public var onPage: @Sendable (GitHub.FollowList, PageCursor?) async throws(BrowseError) -> Page<GitHub.User>

    /// Creates a double whose calls throw.
    public init(throwing error: DoubleFailure) {
        onPage = { _, _ throws(BrowseError) in throw await error("onPage", 2) }
    }

    /// Creates a double.
    public init(
        onPage: @escaping @Sendable (GitHub.FollowList, PageCursor?) async throws(BrowseError) -> Page<GitHub.User>
    ) {
        self.onPage = onPage
    }

    /// Creates a double that forwards calls.
    public init(over repository: any GitHub.FollowerRepository) {
        onPage = { list, cursor throws(BrowseError) in try await repository.page(of: list, at: cursor) }
    }

    /// Returns a double whose calls suspend until a test responds.
    public static func controlled(by responses: ControlledResponses<Request, Page<GitHub.User>>) -> Self {
        Self(onPage: { list, cursor throws(BrowseError) in
            try await responses.response(to: .page(of: list, at: cursor))
        })
    }

    /// Calls ``onPage``.
    public func page(
        of list: GitHub.FollowList,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<GitHub.User> {
        try await onPage(list, cursor)
    }
}
