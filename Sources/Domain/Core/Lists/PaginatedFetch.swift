/// Fetches all pages of a list concurrently, if the server announces them, and delivers them in
/// order.
public struct PaginatedFetch<Element: Sendable>: Sendable {
    let fetch: @Sendable (PageCursor?) async throws(BrowseError) -> Page<Element>
    let concurrency: Int
    let skipsFailedPages: Bool
    let endpoint: String

    /// The maximum number of pages; a server can link to ever-new ones.
    private static var pageLimit: Int { 10_000 }

    /// Creates a fetch, which starts with ``run(from:receive:)``.
    ///
    /// - Parameters:
    ///   - endpoint: The name of the endpoint, for errors.
    ///   - concurrency: The maximum number of concurrent requests, clamped to 1 to 100.
    ///   - skipsFailedPages: Whether announced pages behind one that fails are delivered, before
    ///     its error is thrown.
    ///   - fetch: Fetches the page of a cursor.
    public init(
        of endpoint: String,
        concurrency: Int,
        skipsFailedPages: Bool = false,
        fetch: @escaping @Sendable (PageCursor?) async throws(BrowseError) -> Page<Element>
    ) {
        self.endpoint = endpoint
        self.concurrency = concurrency.clamped(to: .requestsInFlight)
        self.skipsFailedPages = skipsFailedPages
        self.fetch = fetch
    }

    /// Fetches the pages, and delivers them in order.
    ///
    /// - Parameters:
    ///   - cursor: The first page; `nil` for that of the list.
    ///   - receive: Receives each page; the next one is delivered when it returns.
    /// - Throws: The error of a request or of `receive`, or `.unusableResponse(.tooManyPages)`
    ///   after the maximum number of pages.
    public func run(
        from cursor: PageCursor?,
        receive: (Page<Element>) async throws(BrowseError) -> Void
    ) async throws(BrowseError) {
        var visited: Set<PageCursor> = []
        var count = 0
        // The page before can have announced those from the cursor on.
        var next = cursor
        var current: Page<Element>?
        if cursor == nil {
            current = try await fetch(nil)
            count = 1
        }
        while true {
            if let current {
                try await receive(current)
                next = current.next
            }
            // A repeated link ends the list.
            guard let next, visited.insert(next).inserted else { return }
            guard count < Self.pageLimit else {
                let info = BrowseError.RequestInfo(endpoint: endpoint)
                throw .unusableResponse(.tooManyPages(limit: Self.pageLimit), info)
            }
            let announced = Array(next.following.prefix(Self.pageLimit - count))
            if announced.count > 1, announced[0] == next, visited.isDisjoint(with: announced.dropFirst()) {
                visited.formUnion(announced)
                count += announced.count
                guard let last = try await fetchAnnounced(announced, receive: receive) else { return }
                current = last
            } else {
                current = try await fetch(next)
                count += 1
            }
        }
    }

    /// Fetches announced pages, delivers all but the last, and returns it; `nil` if the list ends
    /// early.
    private func fetchAnnounced(
        _ cursors: [PageCursor],
        receive: (Page<Element>) async throws(BrowseError) -> Void
    ) async throws(BrowseError) -> Page<Element>? {
        let outcome = await withTaskGroup(of: (Int, Result<Page<Element>, BrowseError>).self) { group in
            var results: [Int: Result<Page<Element>, BrowseError>] = [:]
            var started = 0
            var delivered = 0
            var hasFailed = false
            var skipped: BrowseError?
            var last: Page<Element>?

            // Undelivered pages stay in memory, so their number is limited as well.
            func startFetches() {
                // After a failure, no later page can be delivered.
                while !hasFailed, started < cursors.count, started - delivered - results.count < concurrency,
                    started - delivered < 2 * concurrency
                {
                    let index = started
                    group.addTask { [fetch] in
                        // Awaited before the pair is created (Decision 6).
                        let result = await Result.of { () throws(BrowseError) in try await fetch(cursors[index]) }
                        return (index, result)
                    }
                    started += 1
                }
            }

            startFetches()
            while let (index, result) = await group.next() {
                results[index] = result
                if let failure = result.failure, !skips(failure) { hasFailed = true }
                startFetches()
                while let result = results.removeValue(forKey: delivered) {
                    if let failure = result.failure, skips(failure) {
                        skipped = skipped ?? failure
                        delivered += 1
                        startFetches()
                        continue
                    }
                    do throws(BrowseError) {
                        let page = try result.get()
                        delivered += 1
                        startFetches()
                        if delivered == cursors.count, skipped == nil {
                            last = page
                            break
                        }
                        try await receive(page)
                        guard page.next != nil || skipped != nil else {
                            group.cancelAll()
                            return Result<Page<Element>?, BrowseError>.success(nil)
                        }
                    } catch {
                        group.cancelAll()
                        return .failure(error)
                    }
                }
            }
            return skipped.map { .failure($0) } ?? .success(last)
        }
        return try outcome.get()
    }

    /// Whether pages behind one that failed in this way are worth their requests.
    private func skips(_ failure: BrowseError) -> Bool {
        switch failure {
        case .serverFailure, .unusableResponse, .notFound, .rejected, .unreachable, .timedOut: skipsFailedPages
        default: false
        }
    }
}
