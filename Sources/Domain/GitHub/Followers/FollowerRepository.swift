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

        /// Loads all pages from a cursor on, and delivers them in the server's order.
        ///
        /// If the first response contains the number of pages, the others may be loaded
        /// concurrently. The default implementation loads one page after another. Pages delivered
        /// before an error remain valid; continue from `Page.next` of the last one. An actor
        /// implements this as `nonisolated(nonsending)`, because `receive` isn't sendable.
        ///
        /// - Parameters:
        ///   - list: The list.
        ///   - cursor: The cursor to start from; `nil` starts at the first page.
        ///   - concurrency: The maximum number of requests in flight, clamped to 1 through 100.
        ///   - receive: Receives each page on the caller's actor; the next page waits for it.
        /// - Throws: `BrowseError`, including errors that `receive` throws.
        func pages(
            of list: FollowList,
            from cursor: PageCursor?,
            concurrency: Int,
            receive: nonisolated(nonsending) (Page<User>) async throws(BrowseError) -> Void
        ) async throws(BrowseError)
    }
}

extension GitHub.FollowerRepository {
    /// Loads one page after another.
    public func pages(
        of list: GitHub.FollowList,
        from cursor: PageCursor?,
        concurrency: Int,
        receive: nonisolated(nonsending) (Page<GitHub.User>) async throws(BrowseError) -> Void
    ) async throws(BrowseError) {
        var visited: Set<PageCursor> = cursor.map { [$0] } ?? []
        var cursor = cursor
        repeat {
            let page = try await page(of: list, at: cursor)
            try await receive(page)
            cursor = page.next
            // Stops at a repeated link instead of looping forever.
        } while cursor.map({ visited.insert($0).inserted }) == true
    }
}
