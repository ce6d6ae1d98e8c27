public import BrowseDomain
import Foundation

/// The state machine of a list that is loaded in pages: a value, without concurrency.
///
/// It issues a ticket for a load, and takes the ticket back with a page or an error. It guarantees:
/// - One load is in flight at a time, and each page is requested once unless it fails.
/// - A ticket from before a `reset(_:)` has no effect.
/// - Rows are unique by id, and in the server's order; later rows with the same id are dropped.
/// - A repeated cursor ends the list, so a cycle of links doesn't load forever.
/// - A list that ends before the service's links or totals say so isn't complete.
/// - Until a `reset(_:)`, a failed page is requested again by `retry()` only.
public struct PagedList<Element: Identifiable & Equatable & Sendable>: Sendable where Element.ID: Sendable {
    /// The right to deliver one page.
    package struct Ticket: Hashable, Sendable {
        /// The page to request; `nil` is the first.
        package let cursor: PageCursor?
        fileprivate let number: Int
    }

    /// The phase of a list.
    public enum Phase: Equatable, Sendable {
        /// The next page can be requested.
        case ready
        /// A page is loading.
        case loading
        /// The last load failed.
        case failed(BrowseError)
        /// There are no more pages.
        case ended
    }

    /// The pages that have arrived. A canceled load restores those from before the list started
    /// over.
    private struct Progress: Sendable {
        var phase = Phase.ready
        var pageCount = 0
        /// Whether the server has pages behind the rows, which can be from before a reset.
        var hasMore = false
        var next: PageCursor?
        var cursors: Set<PageCursor> = []
        /// The number of rows that arrived, including duplicates and unreadable ones.
        var receivedCount = 0
        /// The number of pages that the service has announced.
        var announcedPageCount = 0
        /// The state before the last page, if the service contradicts that the list is complete.
        var beforeLast: (next: PageCursor?, pageCount: Int, receivedCount: Int, skippedCount: Int)?
        /// How long rows from before a reset, or those of a preview, stay.
        var retention = RowRetention.discard
    }

    /// The distance from the end at which a visible row loads the next page, in rows; 0 or more.
    let prefetchDistance: Int

    /// The number of rows that couldn't be decoded.
    package private(set) var skippedCount: Int = 0
    /// The number of rows on all pages, as the server last reported it; `nil` if it doesn't.
    package private(set) var totalCount: Int?
    /// Whether the query selects from the same rows, in the same order, as the one before.
    ///
    /// A view then shows the difference of two queries, such as favorites with another filter.
    var selectsFromOneList = false
    /// Whether the service's search timed out on a page, and may have missed rows.
    var isIncomplete = false
    /// Whether the service left out rows, such as those of organizations that require single
    /// sign-on.
    var isPartial = false
    /// The outstanding ticket.
    package private(set) var current: Ticket?
    /// The source of the rows, or the least certain one of several pages; `nil` until a page
    /// arrives.
    @_spi(Services) public private(set) var provenance: Provenance?
    /// When the first page was requested, at the latest.
    var firstPageDate: Date?

    private var all = Rows<Element>()
    /// The rows that pass the filter, with the same pages as ``all``; `nil` without a filter.
    private var filtered: Rows<Element>?
    private var isIncluded: (@Sendable (Element) -> Bool)?
    /// The page of each row.
    private var index: [Element.ID: Int] = [:]
    private var ticketCount = 0
    private var progress = Progress()
    private var previous: Progress?

    /// Creates an empty list.
    package init(prefetchDistance: Int = 10) { self.prefetchDistance = max(0, prefetchDistance) }

    /// The phase of the list.
    public var phase: Phase { progress.phase }

    /// The number of pages since the last reset.
    public var pageCount: Int { progress.pageCount }

    /// The rows that pass the filter.
    public var rows: Rows<Element> { filtered ?? all }

    /// Whether a filter applies, which may hide rows.
    var isFiltered: Bool { filtered != nil }

    /// The number of loaded rows, including those that the filter hides.
    public var loadedCount: Int { all.count }

    /// Whether there are no rows, or only those of an earlier query, so that a cached page can be
    /// shown.
    ///
    /// A list that is loaded again after an empty page has a result, which no cached page replaces.
    var showsNoneOfThis: Bool { previous == nil && all.isEmpty || progress.retention == .keepUntilResponse }

    /// Whether the first page will replace the rows, which are from before a ``reset(_:)`` or from
    /// a preview.
    var isRefreshing: Bool { progress.retention != .discard }

    /// Whether the server has more pages than those of the rows; `false` before the first page.
    package var hasMore: Bool { progress.hasMore }

    /// Whether the list has ended, although the service announced more.
    package var isContradicted: Bool { progress.beforeLast != nil }

    /// Whether the last load failed.
    var hasFailed: Bool {
        if case .failed = phase { true } else { false }
    }

    /// Returns the loaded row with an id, even if the filter hides it; `nil` if there is none.
    package func row(_ id: Element.ID) -> Element? {
        index[id].flatMap { all.slots[$0].segment.elements.first { $0.id == id } }
    }

    /// Returns the position of a row in ``rows``; `nil` if it isn't there.
    package func position(of id: Element.ID) -> Int? {
        guard let slot = index[id] else { return nil }
        let rows = rows
        return rows.slots[slot].segment.elements.firstIndex { $0.id == id }.map { rows.start(of: slot) + $0 }
    }

    /// Returns whether the next page should be loaded when the row at a position of ``rows``
    /// appears.
    func isNearEnd(_ position: Int) -> Bool { position >= rows.count - 1 - prefetchDistance }
}

extension PagedList {
    /// Starts the load of the next page; returns `nil` during a load, after a failure, and at the
    /// end.
    package mutating func begin() -> Ticket? { phase == .ready ? issue() : nil }

    /// Starts the load of the page that failed, or of the last one if the list may be incomplete.
    ///
    /// - Returns: `nil` if neither is so, or if the first page is the last one.
    package mutating func retry() -> Ticket? {
        if let last = progress.beforeLast, last.next != nil {
            (progress.next, progress.pageCount, progress.receivedCount, skippedCount) = last
            progress.beforeLast = nil
            progress.hasMore = true
            return issue()
        }
        guard case .failed = phase else { return nil }
        return issue()
    }

    private mutating func issue() -> Ticket {
        ticketCount += 1
        let ticket = Ticket(cursor: progress.next, number: ticketCount)
        current = ticket
        progress.phase = .loading
        return ticket
    }

    /// Shows a cached first page until the ticket's page replaces it.
    ///
    /// The rows stay if the page can't be loaded, unless it isn't found.
    ///
    /// - Returns: Whether the page is shown. It isn't if the ticket is outdated, or if there are
    ///   rows already.
    @discardableResult
    mutating func preview(_ page: Page<Element>, for ticket: Ticket, from provenance: Provenance) -> Bool {
        guard ticket == current, ticket.cursor == nil, showsNoneOfThis, !page.items.isEmpty else { return false }
        if progress.retention == .keepUntilResponse { dropOldRows() }
        append(page.items)
        skippedCount = page.skipped.count
        totalCount = page.totalCount
        isIncomplete = page.isIncomplete
        isPartial = page.isPartial
        self.provenance = provenance
        progress.retention = .keepUntilPage
        progress.hasMore = page.next != nil
        return true
    }

    /// Adds a page for a ticket; drops it if the ticket is outdated.
    package mutating func receive(
        _ page: Page<Element>,
        for ticket: Ticket,
        from provenance: Provenance = .fresh
    ) {
        guard ticket == current else { return }
        // Whether the page that arrives replaces the rows of the only page.
        if all.slots.count == 1,
            progress.retention == .keepUntilPage || selectsFromOneList && progress.retention == .keepUntilResponse
        {
            replaceRows(with: page.items)
        } else {
            dropOldRows()
            append(page.items)
        }
        finish(page, at: ticket.cursor, from: provenance)
    }

    /// Ends the load of a page whose rows were added.
    private mutating func finish(_ page: Page<Element>, at cursor: PageCursor?, from provenance: Provenance) {
        current = nil
        self.provenance = self.provenance?.combined(with: provenance) ?? provenance
        // Only the list from its first page on has rows that moved.
        let last = (page.isShifted ? nil : cursor, progress.pageCount, progress.receivedCount, skippedCount)
        skippedCount += page.skipped.count
        totalCount = page.totalCount ?? totalCount
        isIncomplete = isIncomplete || page.isIncomplete
        isPartial = isPartial || page.isPartial
        progress.pageCount += 1
        progress.receivedCount += page.items.count + page.skipped.count
        if let left = page.pagesLeft { progress.announcedPageCount = progress.pageCount &+ left }
        progress.next = page.next
        let isUnreadable = cursor != nil && page.items.isEmpty && page.skipped.count > 0
        // An unreadable page is left, so its cursor is still new after a retry.
        progress.hasMore = !isUnreadable && page.next.map { progress.cursors.insert($0).inserted } ?? false
        progress.phase = progress.hasMore ? .ready : .ended
        let isContradicted =
            page.next != nil || isUnreadable || page.isShifted || progress.pageCount < progress.announcedPageCount
            || progress.receivedCount < totalCount ?? 0
        progress.beforeLast = !progress.hasMore && !page.isLimited && isContradicted ? last : nil
    }

    /// Records the failure of a ticket's load, unless the ticket is outdated.
    ///
    /// A cancellation releases the ticket; see ``release(_:)``. A first page that isn't found
    /// removes all rows, cached ones included. A later page that isn't found, has no readable rows,
    /// or is beyond the service's limit (400 or 422), ends the list.
    package mutating func fail(_ ticket: Ticket, with error: BrowseError) {
        guard error != .cancelled else { return release(ticket) }
        guard ticket == current else { return }
        current = nil
        if progress.retention == .keepUntilResponse || (ticket.cursor == nil && error.isNotFound) { dropOldRows() }
        progress.phase = .failed(error)
        guard ticket.cursor != nil else { return }
        let last = (ticket.cursor, progress.pageCount, progress.receivedCount, skippedCount)
        switch error {
        // A link has announced the page; only a total can say that there were no more rows.
        case .notFound:
            progress.beforeLast = progress.receivedCount < totalCount ?? .max ? last : nil
            progress.phase = .ended
            progress.hasMore = false
        case .unusableResponse(.decoding(let failure), _) where failure.codingPath.contains("["):
            progress.beforeLast = last
            progress.phase = .ended
            progress.hasMore = false
            skippedCount += 1
        // The query isn't the reason, since there was a first page.
        case .rejected(let info)
        where info.rejection == .pageLimit || [400, 422].contains(info.status) && info.rejection != .appVersion:
            progress.phase = .failed(.rejected(modified(info) { $0.rejection = .pageLimit }))
            progress.hasMore = false
        default: break
        }
    }

    /// Releases an unused ticket, unless it's outdated.
    ///
    /// The page can be loaded as if it hadn't been requested. A list that was refreshing continues
    /// from its previous position.
    package mutating func release(_ ticket: Ticket) {
        if ticket == current, progress.retention == .keepUntilResponse { dropOldRows() }
        pause(ticket)
    }

    /// Ends a refresh that the server didn't answer, unless the stored page is newer than the rows.
    ///
    /// - Returns: Whether the rows of all pages stay.
    mutating func keepRows(insteadOf stored: Provenance, for ticket: Ticket) -> Bool {
        guard case .offline(let date) = stored, ticket == current, previous.map({ $0.pageCount > 0 }) == true,
            let firstPageDate, firstPageDate >= date
        else { return false }
        release(ticket)
        let known = Provenance.offline(since: firstPageDate)
        provenance = provenance?.combined(with: known) ?? known
        return true
    }

    /// Releases an unused ticket, but keeps the rows of an earlier query, since another query
    /// follows.
    mutating func pause(_ ticket: Ticket) {
        guard ticket == current else { return }
        current = nil
        progress = previous ?? progress
        if phase == .loading { progress.phase = .ready }
        previous = nil
    }

    /// Starts over: removes everything but the filter, and invalidates the outstanding ticket.
    ///
    /// - Parameter retention: How long the rows stay.
    package mutating func reset(_ retention: RowRetention = .discard) {
        let old = progress
        let known = previous ?? progress
        // A list without rows has a position, too, if it has a page.
        let hasPosition = retention == .keepUntilPage && known.pageCount > 0
        current = nil
        progress = Progress()
        guard hasPosition || retention != .discard && !all.isEmpty else {
            firstPageDate = nil
            return dropRows()
        }
        progress.hasMore = old.hasMore
        // Rows of an earlier query, which weren't replaced yet, must not become the result of this
        // one.
        progress.retention = old.retention == .keepUntilResponse ? .keepUntilResponse : retention
        previous = progress.retention == .keepUntilPage ? known : nil
    }

    private mutating func dropOldRows() {
        if progress.retention != .discard { dropRows() }
    }

    private mutating func dropRows() {
        all = Rows()
        filtered = all.filtered(by: isIncluded)
        forgetOldRows()
    }

    /// Replaces the rows of the only page, so that a view keeps its scroll position.
    private mutating func replaceRows(with elements: [Element]) {
        forgetOldRows()
        let unique = enter(elements, in: 0)
        all.replace(slot: 0, with: unique)
        if let isIncluded { filtered?.replace(slot: 0, with: unique.filter(isIncluded)) }
    }

    private mutating func forgetOldRows() {
        index = [:]
        skippedCount = 0
        provenance = nil
        totalCount = nil
        isIncomplete = false
        isPartial = false
        progress.hasMore = false
        progress.retention = .discard
        previous = nil
    }

    private mutating func append(_ elements: [Element]) {
        let fresh = enter(elements, in: all.slots.count)
        guard !fresh.isEmpty else { return }
        if let isIncluded { filtered?.append(fresh.filter(isIncluded)) }
        all.append(fresh)
    }

    /// Adds the rows of a page to the index; returns those that weren't in it.
    private mutating func enter(_ elements: [Element], in slot: Int) -> [Element] {
        index.reserveCapacity(index.count + elements.count)
        return elements.filter { element in
            guard index[element.id] == nil else { return false }
            index[element.id] = slot
            return true
        }
    }
}

extension PagedList {
    /// Shows only rows that pass a filter, including those of later pages; `nil` shows all.
    ///
    /// Calls the filter once for each loaded row.
    public mutating func filter(_ isIncluded: (@Sendable (Element) -> Bool)?) {
        self.isIncluded = isIncluded
        filtered = all.filtered(by: isIncluded)
    }

    /// Changes a row, but not its id; returns `false` if there is no such row, or it's unchanged.
    @discardableResult
    public mutating func update(id: Element.ID, _ change: (inout Element) -> Void) -> Bool {
        guard let slot = index[id] else { return false }
        return replace(slot) { elements in
            guard let place = elements.firstIndex(where: { $0.id == id }) else { return false }
            let element = modified(elements[place], change)
            guard element != elements[place] else { return false }
            elements[place] = element
            return true
        }
    }

    /// Changes all rows, but not their ids. Pages whose rows stay equal remain shared.
    public mutating func updateAll(_ change: (inout Element) -> Void) {
        for slot in all.slots.indices {
            _ = replace(slot) { elements in
                let changed = elements.map { modified($0, change) }
                guard changed != elements else { return false }
                elements = changed
                return true
            }
        }
    }

    /// Inserts a row; returns `false` if a row has its id already.
    ///
    /// - Parameters:
    ///   - element: The row.
    ///   - position: Its position among all loaded rows, or the nearest one if there are fewer rows
    ///     now, such as after a refresh.
    @discardableResult
    public mutating func insert(_ element: Element, at position: Int) -> Bool {
        let position = position.clamped(to: 0...all.count)
        guard index[element.id] == nil else { return false }
        guard let slot = all.slots.firstIndex(where: { position <= $0.end }) else {
            append([element])
            return true
        }
        index[element.id] = slot
        let place = position - all.start(of: slot)
        return replace(slot) { elements in
            elements.insert(element, at: place)
            return true
        }
    }

    /// Returns the position among all loaded rows at which to insert a row, found with a binary
    /// search.
    ///
    /// - Parameter belongsBefore: Whether the new row belongs before a row; false for the first
    ///   rows, then true.
    package func position(where belongsBefore: (Element) -> Bool) -> Int {
        all.partitioningIndex(where: belongsBefore)
    }

    /// Removes a row, and returns its position among all loaded rows; `nil` if there is no such
    /// row.
    @discardableResult
    public mutating func remove(id: Element.ID) -> Int? {
        guard let slot = index.removeValue(forKey: id) else { return nil }
        let place = all.slots[slot].segment.elements.firstIndex { $0.id == id }
        _ = replace(slot) { elements in
            if let place { elements.remove(at: place) }
            return place != nil
        }
        return place.map { all.start(of: slot) + $0 }
    }

    private mutating func replace(_ slot: Int, _ body: (inout [Element]) -> Bool) -> Bool {
        var elements = all.slots[slot].segment.elements
        guard body(&elements) else { return false }
        all.replace(slot: slot, with: elements)
        if let isIncluded { filtered?.replace(slot: slot, with: elements.filter(isIncluded)) }
        return true
    }
}
