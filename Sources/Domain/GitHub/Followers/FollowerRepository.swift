public import BrowseDomain

extension GitHub {
    /// Loads followers and followed accounts.
    ///
    /// Use `InMemoryFollowerRepository` of BrowseGitHubMocks in tests.
    public protocol FollowerRepository: Sendable {
        /// Returns one page of a list, in the server's order.
        ///
        /// The cursor is `Page.next` of the previous page; `nil` is the first page.
        ///
        /// - Throws: `BrowseError`: `.notFound` if the account doesn't exist.
        func page(of list: FollowList, at cursor: PageCursor?) async throws(BrowseError) -> Page<User>
    }
}

extension GitHub.FollowerRepository {
    /// Loads all pages from a cursor on, and delivers them in the server's order.
    ///
    /// If a page announces the number of pages, the others are loaded concurrently. Pages delivered
    /// before an error remain valid; continue from `Page.next` of the last one.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - cursor: The cursor to start from; `nil` starts at the first page.
    ///   - concurrency: The maximum number of requests in flight, clamped to 1 through 100.
    ///   - receive: Receives each page on the caller's actor; the next page waits for it.
    /// - Throws: `BrowseError`, including errors that `receive` throws.
    public func pages(
        of list: GitHub.FollowList,
        from cursor: PageCursor?,
        concurrency: Int,
        receive: nonisolated(nonsending) (Page<GitHub.User>) async throws(BrowseError) -> Void
    ) async throws(BrowseError) {
        let name = "FollowerRepository.pages(of:from:concurrency:receive:)"
        let fetch = PaginatedFetch(of: name, concurrency: concurrency) { cursor throws(BrowseError) in
            try await self.page(of: list, at: cursor)
        }
        try await fetch.run(from: cursor, receive: receive)
    }
}
