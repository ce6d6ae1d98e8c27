public import BrowseDomain

/// A follower repository whose answers a test writes as a closure.
///
/// Use ``InMemoryFollowerRepository`` when the rows are what matters; use this one to fail, to come late, or to look at
/// what is asked for. To let responses come in any order, give it ``ControlledResponses``:
///
/// ```swift
/// let held = ControlledResponses<FollowerRepositoryDouble.PageRequest, Page<GitHub.User>>()
/// let followers = FollowerRepositoryDouble.held(held)
/// let page = Task { try await followers.page(of: .followers(of: octocat), at: nil) }
/// await held.waitForRequests(1)
/// held.answer(0, with: .success(Page(items: [mona])))
/// ```
///
/// A closure that was not set throws an error that says which one to set.
public struct FollowerRepositoryDouble: GitHub.FollowerRepository {
    /// Which page was asked for.
    public struct PageRequest: Hashable, Sendable {
        /// Whose followers, or whom they follow.
        public let list: GitHub.FollowList
        /// Where the page begins; `nil` is the first page.
        public let cursor: PageCursor?

        /// Creates a request, to compare with.
        public init(list: GitHub.FollowList, cursor: PageCursor? = nil) {
            self.list = list
            self.cursor = cursor
        }
    }

    /// Answers ``page(of:at:)``, and for `pages(of:from:concurrency:receive:)` each page in turn.
    public var onPage: @Sendable (GitHub.FollowList, PageCursor?) async throws(BrowseError) -> Page<GitHub.User>

    /// Creates a double that throws until its closure is set.
    public init() {
        self.init(onPage: { _, _ throws(BrowseError) in throw .notSetUp("onPage", of: "FollowerRepositoryDouble") })
    }

    /// Creates a double from its closure.
    public init(
        onPage: @escaping @Sendable (GitHub.FollowList, PageCursor?) async throws(BrowseError) -> Page<GitHub.User>
    ) {
        self.onPage = onPage
    }

    /// Answers every call with an error.
    public static func failing(with error: BrowseError) -> FollowerRepositoryDouble {
        FollowerRepositoryDouble(onPage: { _, _ throws(BrowseError) in throw error })
    }

    /// Never answers; a call ends with `.cancelled` when its task is cancelled.
    public static var never: FollowerRepositoryDouble {
        FollowerRepositoryDouble(onPage: { _, _ throws(BrowseError) in throw await .whenCancelled() })
    }

    /// Answers when the test lets the response go.
    public static func held(_ responses: ControlledResponses<PageRequest, Page<GitHub.User>>)
        -> FollowerRepositoryDouble
    {
        FollowerRepositoryDouble(onPage: { list, cursor throws(BrowseError) in
            try await responses.response(to: PageRequest(list: list, cursor: cursor))
        })
    }

    /// What ``onPage`` answers.
    public func page(
        of list: GitHub.FollowList,
        at cursor: PageCursor?
    ) async throws(BrowseError) -> Page<GitHub.User> {
        try await onPage(list, cursor)
    }
}
