public import BrowseDomain
import Foundation

/// A page and the following pages that its `Link` header announces.
public struct LinkedPage<Element: Sendable>: Sendable {
    /// The page; its cursor is the link to the next one.
    public internal(set) var page: Page<Element>
    private let last: String?

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - skipped: The rows that can't be decoded.
    ///   - link: The `Link` header field (RFC 8288); `nil` for the last page of a list.
    ///   - isPartial: Whether the service left out rows.
    public init(items: [Element], skipped: SkippedRows = SkippedRows(), link: String?, isPartial: Bool = false) {
        let links = link.map(LinkHeader.init)
        page = Page(items: items, next: links?["next"].map(PageCursor.init(rawValue:)), skipped: skipped)
        page.isPartial = isPartial
        last = links?["last"]
    }

    /// The maximum number of announced pages; later ones are fetched by their links.
    private static var maxAnnounced: Int { 1000 }

    /// The pages from `next` to `last`; empty if the links don't announce them.
    ///
    /// The server's links are the pattern: `next` and `last` must differ only in the number of `page`.
    var following: [PageCursor] {
        guard let next = (page.next?.rawValue).flatMap(NumberedURL.init), let last = last.flatMap(NumberedURL.init),
            next.pattern == last.pattern, next.number < last.number
        else { return [] }
        return (next.number...min(last.number, next.number + Self.maxAnnounced - 1))
            .map { PageCursor(rawValue: next.url(of: $0)) }
    }

    private struct NumberedURL {
        let pattern: [Substring]
        let number: Int
        private let index: Int

        /// The maximum page number, which prevents overflow.
        private static var maxNumber: Int { 1_000_000_000 }

        /// The maximum URL length in bytes; RFC 9110 (section 4.1) recommends supporting 8000.
        ///
        /// A thousand longer ones could fill memory.
        private static var maxLength: Int { 8000 }

        init?(_ url: String) {
            guard url.utf8.count <= Self.maxLength else { return nil }
            let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            var items = parts[1].split(separator: "&", omittingEmptySubsequences: false)
            guard let index = items.firstIndex(where: { $0.hasPrefix("page=") }),
                let number = Int(items[index].dropFirst(5)), (1...Self.maxNumber).contains(number)
            else { return nil }
            items[index] = "page="
            self.index = index + 1
            self.number = number
            pattern = [parts[0]] + items
        }

        func url(of number: Int) -> String {
            var items = pattern.map(String.init)
            items[index] += String(number)
            return items[0] + "?" + items.dropFirst().joined(separator: "&")
        }
    }
}

/// Fetches all pages of a list concurrently, if the server announces them, and delivers them in order.
public struct PaginatedFetch<Element: Sendable>: Sendable {
    let fetch: @Sendable (PageCursor?) async throws(BrowseError) -> LinkedPage<Element>
    let concurrency: Int
    let pageLimit: Int
    let endpoint: String

    /// Creates a fetch, which starts with ``run(from:receive:)``.
    ///
    /// - Parameters:
    ///   - endpoint: The name of the endpoint, for errors.
    ///   - concurrency: The maximum number of concurrent requests, clamped to 1 to 100.
    ///   - pageLimit: The maximum number of pages; a server can link to ever-new ones.
    ///   - fetch: Fetches the page of a cursor.
    public init(
        of endpoint: String,
        concurrency: Int,
        pageLimit: Int = 10_000,
        fetch: @escaping @Sendable (PageCursor?) async throws(BrowseError) -> LinkedPage<Element>
    ) {
        self.endpoint = endpoint
        self.concurrency = concurrency.clamped(to: .requestsInFlight)
        self.pageLimit = pageLimit
        self.fetch = fetch
    }

    /// Fetches the pages, and delivers them in order.
    ///
    /// - Parameters:
    ///   - cursor: The first page; `nil` for that of the list.
    ///   - receive: Receives each page; the next one is delivered when it returns.
    /// - Throws: The error of a request or of `receive`, or `.unusableResponse(.tooManyPages)` after the maximum number of pages.
    public func run(
        from cursor: PageCursor?,
        receive: (Page<Element>) async throws(BrowseError) -> Void
    ) async throws(BrowseError) {
        var visited: Set<PageCursor> = cursor.map { [$0] } ?? []
        var current = try await fetch(cursor)
        var count = 1
        while true {
            try await receive(current.page)
            // A repeated link ends the list.
            guard let next = current.page.next, visited.insert(next).inserted else { return }
            guard count < pageLimit else {
                let info = BrowseError.RequestInfo(endpoint: endpoint)
                throw .unusableResponse(.tooManyPages(limit: pageLimit), info)
            }
            let announced = Array(current.following.prefix(pageLimit - count))
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

    /// Fetches announced pages, delivers all but the last, and returns it; `nil` if the list ends early.
    private func fetchAnnounced(
        _ cursors: [PageCursor],
        receive: (Page<Element>) async throws(BrowseError) -> Void
    ) async throws(BrowseError) -> LinkedPage<Element>? {
        let outcome = await withTaskGroup(of: (Int, Result<LinkedPage<Element>, BrowseError>).self) { group in
            var results: [Int: Result<LinkedPage<Element>, BrowseError>] = [:]
            var started = 0
            var delivered = 0
            var hasFailed = false
            var last: LinkedPage<Element>?

            // Undelivered pages stay in memory, so their number is limited as well.
            func startFetches() {
                // After a failure, no later page can be delivered.
                while !hasFailed, started < cursors.count, started - delivered - results.count < concurrency,
                    started - delivered < 2 * concurrency
                {
                    let index = started
                    group.addTask { [fetch] in
                        // Create the pair after the wait: in code optimized by Swift 6.3, the part of a tuple that is
                        // initialized before a suspension contains garbage after it (swiftlang/swift#91911).
                        let result = await Result.of { () throws(BrowseError) in try await fetch(cursors[index]) }
                        return (index, result)
                    }
                    started += 1
                }
            }

            startFetches()
            while let (index, result) = await group.next() {
                results[index] = result
                if case .failure = result { hasFailed = true }
                startFetches()
                while let result = results.removeValue(forKey: delivered) {
                    do throws(BrowseError) {
                        let linked = try result.get()
                        delivered += 1
                        startFetches()
                        if delivered == cursors.count {
                            last = linked
                            break
                        }
                        try await receive(linked.page)
                        guard linked.page.next != nil else {
                            group.cancelAll()
                            return Result<LinkedPage<Element>?, BrowseError>.success(nil)
                        }
                    } catch {
                        group.cancelAll()
                        return .failure(error)
                    }
                }
            }
            return .success(last)
        }
        return try outcome.get()
    }
}

extension HTTPClient.Response {
    /// The next page in the `Link` header (RFC 8288); `nil` if there is none.
    ///
    /// ```swift
    /// Endpoint<Page<String>>(.path("/books")) { response in
    ///     Page(items: try response.json([String].self), next: response.nextPage)
    /// }
    /// ```
    ///
    /// To fetch it, send ``Endpoint/Location/page(_:of:)``, which accepts only URLs of the service.
    public var nextPage: PageCursor? {
        guard let target = headers["Link"].flatMap({ LinkHeader($0)["next"] }) else { return nil }
        // An absolute URL stays as the server wrote it.
        if target.contains("://") { return PageCursor(rawValue: target) }
        return URL(string: target, relativeTo: url).map { PageCursor(rawValue: $0.absoluteString) }
    }
}
