extension GitHub {
    /// Where followers, and the accounts somebody follows, come from.
    ///
    /// Choose `RemoteFollowerRepository` of BrowseData for GitHub's API, or `InMemoryFollowerRepository` of BrowseMocks in
    /// tests.
    public protocol FollowerRepository: Sendable {
        /// One page of a list, in the server's order.
        ///
        /// - Parameters:
        ///   - list: Whose followers, or whom they follow.
        ///   - cursor: ``Page/next`` of the page before, or `nil` for the first page.
        /// - Throws: ``BrowseError``: `.notFound` when nobody has that login, `.cancelled` when the caller was cancelled.
        func page(of list: FollowList, at cursor: PageCursor?) async throws(BrowseError) -> Page<User>

        /// Every page from a cursor on, handed over one by one in the server's order; by default, each after the one before.
        ///
        /// When the first of them tells how many there are, the rest are fetched several at a time; otherwise each follows
        /// the one before. Pages that were handed over before an error stay valid: ``Page/next`` of the last one is where
        /// to go on.
        ///
        /// - Parameters:
        ///   - list: Whose followers, or whom they follow.
        ///   - cursor: Where to begin; `nil` begins at the first page.
        ///   - concurrency: How many pages may be on their way at once, 1 to 100; other values are clamped.
        ///   - receive: Called with each page on the caller's actor; the next page waits for it.
        /// - Throws: ``BrowseError``, also what `receive` throws.
        func pages(
            of list: FollowList,
            from cursor: PageCursor?,
            concurrency: Int,
            receive: nonisolated(nonsending) (Page<User>) async throws(BrowseError) -> Void
        ) async throws(BrowseError)
    }
}

extension GitHub.FollowerRepository {
    /// Fetches each page after the one before.
    public func pages(
        of list: GitHub.FollowList,
        from cursor: PageCursor?,
        concurrency: Int,
        receive: nonisolated(nonsending) (Page<GitHub.User>) async throws(BrowseError) -> Void
    ) async throws(BrowseError) {
        var visited: Set<PageCursor> = []
        var cursor = cursor
        repeat {
            let page = try await page(of: list, at: cursor)
            try await receive(page)
            cursor = page.next
            // Links that lead in a circle end the list.
        } while cursor.map({ visited.insert($0).inserted }) == true
    }
}
