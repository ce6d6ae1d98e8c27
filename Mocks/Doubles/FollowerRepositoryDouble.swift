public import BrowseDomain

/// A follower repository whose results a test sets as a closure.
///
/// Use it for failures, delays, and to inspect calls; for data, use ``InMemoryFollowerRepository``. ``ControlledResponses`` release
/// responses in any order:
///
/// ```swift
/// let held = ControlledResponses<FollowerRepositoryDouble.PageRequest, Page<GitHub.User>>()
/// let followers = FollowerRepositoryDouble.controlled(by: held)
/// let page = Task { try await followers.page(of: .followers(of: octocat), at: nil) }
/// await held.waitForRequests(1)
/// held.answer(0, with: .success(Page(items: [mona])))
/// ```
///
/// If a closure isn't set, its calls fail with a hint, and are issues in tests with the trait `.verifiesMocks`.
public struct FollowerRepositoryDouble: GitHub.FollowerRepository {
    /// A call for a page.
    public struct PageRequest: Hashable, Sendable {
        /// The list.
        public let list: GitHub.FollowList
        /// The page; `nil` is the first.
        public let cursor: PageCursor?

        /// Creates a request, to compare with.
        public init(list: GitHub.FollowList, cursor: PageCursor? = nil) {
            self.list = list
            self.cursor = cursor
        }
    }

    /// Performs ``page(of:at:)``, and `pages(of:from:concurrency:receive:)` page by page.
    public var onPage: @Sendable (GitHub.FollowList, PageCursor?) async throws(BrowseError) -> Page<GitHub.User>

    /// Creates a double whose calls fail until its closure is set.
    public init() {
        self.init(onPage: { _, _ throws(BrowseError) in
            throw .notSetUp("onPage", of: "FollowerRepositoryDouble", parameters: 2)
        })
    }

    /// Creates a double.
    public init(
        onPage: @escaping @Sendable (GitHub.FollowList, PageCursor?) async throws(BrowseError) -> Page<GitHub.User>
    ) {
        self.onPage = onPage
    }

    /// Returns a double whose calls fail.
    public static func failing(with error: BrowseError) -> FollowerRepositoryDouble {
        FollowerRepositoryDouble(onPage: { _, _ throws(BrowseError) in throw error })
    }

    /// A double whose calls suspend until their task is canceled, and then throw `.cancelled`.
    public static var never: FollowerRepositoryDouble {
        FollowerRepositoryDouble(onPage: { _, _ throws(BrowseError) in throw await .whenCancelled() })
    }

    /// Returns a double whose calls suspend until a test responds.
    public static func controlled(by responses: ControlledResponses<PageRequest, Page<GitHub.User>>)
        -> FollowerRepositoryDouble
    {
        FollowerRepositoryDouble(onPage: { list, cursor throws(BrowseError) in
            try await responses.response(to: PageRequest(list: list, cursor: cursor))
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
