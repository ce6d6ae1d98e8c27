import BrowseDomain
import Foundation

/// A page together with the pages that its links say will follow.
struct LinkedPage<Element: Sendable>: Sendable {
    let page: Page<Element>
    private let last: String?

    init(items: [Element], skipped: [SkippedRow], link: String?) {
        let links = link.map(LinkHeader.init)
        page = Page(items: items, next: links?["next"].map(PageCursor.init(rawValue:)), skipped: skipped)
        last = links?["last"]
    }

    /// The pages after this one, from its `next` to its `last`; empty when the links do not tell.
    var following: [PageCursor] { Self.cursors(from: page.next?.rawValue, to: last) }

    /// The most pages that are counted on ahead; a server that announces more is followed link by link after these.
    private static var horizon: Int { 1000 }

    /// The addresses of numbered pages.
    ///
    /// The server's own links are the pattern: `next` and `last` must be the same but for the number of their `page`.
    private static func cursors(from next: String?, to last: String?) -> [PageCursor] {
        guard let next = next.flatMap(NumberedAddress.init), let last = last.flatMap(NumberedAddress.init),
            next.pattern == last.pattern, next.number < last.number
        else { return [] }
        return (next.number...min(last.number, next.number + horizon - 1))
            .map { PageCursor(rawValue: next.address(of: $0)) }
    }

    private struct NumberedAddress {
        let pattern: [Substring]
        let number: Int
        private let place: Int

        /// Far from where counting on overflows; no list has so many pages.
        private static var largest: Int { 1_000_000_000 }

        /// The most bytes of an address, which RFC 9110 (section 4.1) asks to allow; a thousand of any length fill the memory.
        private static var longest: Int { 8000 }

        init?(_ address: String) {
            guard address.utf8.count <= Self.longest else { return nil }
            let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            var items = parts[1].split(separator: "&", omittingEmptySubsequences: false)
            guard let place = items.firstIndex(where: { $0.hasPrefix("page=") }),
                let number = Int(items[place].dropFirst(5)), (1...Self.largest).contains(number)
            else { return nil }
            items[place] = "page="
            self.place = place + 1
            self.number = number
            pattern = [parts[0]] + items
        }

        func address(of number: Int) -> String {
            var items = pattern.map(String.init)
            items[place] += String(number)
            return items[0] + "?" + items.dropFirst().joined(separator: "&")
        }
    }
}

/// Fetches every page of a list, several at a time where the server tells how many there are, and hands them over in order.
struct PaginatedFetch<Element: Sendable>: Sendable {
    /// Fetches one page.
    let fetch: @Sendable (PageCursor?) async throws(BrowseError) -> LinkedPage<Element>
    /// How many pages may be on their way at once.
    let concurrency: Int

    init(
        concurrency: Int,
        fetch: @escaping @Sendable (PageCursor?) async throws(BrowseError) -> LinkedPage<Element>
    ) {
        self.concurrency = min(max(1, concurrency), 100)
        self.fetch = fetch
    }

    func run(
        from cursor: PageCursor?,
        receive: (Page<Element>) async throws(BrowseError) -> Void
    ) async throws(BrowseError) {
        var visited: Set<PageCursor> = cursor.map { [$0] } ?? []
        var current = try await fetch(cursor)
        while true {
            try await receive(current.page)
            // A list whose links lead in a circle ends where it would begin again.
            guard let next = current.page.next, visited.insert(next).inserted else { return }
            let announced = current.following
            if announced.count > 1, announced[0] == next, visited.isDisjoint(with: announced.dropFirst()) {
                visited.formUnion(announced)
                guard let last = try await sweep(announced, receive: receive) else { return }
                current = last
            } else {
                current = try await fetch(next)
            }
        }
    }

    /// Fetches announced pages and hands over all but the last, which it returns; `nil` when the list ended before that.
    private func sweep(
        _ cursors: [PageCursor],
        receive: (Page<Element>) async throws(BrowseError) -> Void
    ) async throws(BrowseError) -> LinkedPage<Element>? {
        let outcome = await withTaskGroup(of: (Int, Result<LinkedPage<Element>, BrowseError>).self) { group in
            var arrived: [Int: Result<LinkedPage<Element>, BrowseError>] = [:]
            var asked = 0
            var delivered = 0
            var hasFailed = false
            var last: LinkedPage<Element>?

            // Pages that wait for an earlier one are kept in memory, so how far to run ahead is bounded too.
            func askForMore() {
                // After a failure nothing later can be delivered, and a server that is in trouble is left alone.
                while !hasFailed, asked < cursors.count, asked - delivered - arrived.count < concurrency,
                    asked - delivered < 2 * concurrency
                {
                    let index = asked
                    group.addTask { [fetch] in
                        // The pair is made after the wait, not around it: optimized by Swift 6.3, a tuple written in part
                        // before a suspension arrives with garbage in that part (swiftlang/swift#91911).
                        let result: Result<LinkedPage<Element>, BrowseError>
                        do throws(BrowseError) {
                            result = .success(try await fetch(cursors[index]))
                        } catch {
                            result = .failure(error)
                        }
                        return (index, result)
                    }
                    asked += 1
                }
            }

            askForMore()
            while let (index, result) = await group.next() {
                arrived[index] = result
                if case .failure = result { hasFailed = true }
                askForMore()
                while let result = arrived.removeValue(forKey: delivered) {
                    do throws(BrowseError) {
                        let linked = try result.get()
                        delivered += 1
                        askForMore()
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
