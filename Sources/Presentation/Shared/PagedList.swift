public import BrowseDomain
public import Foundation

/// What happens to the rows of a list that starts over.
public enum RowRetention: Sendable {
    /// They are removed at once.
    case discard
    /// They stay until the first page arrives or isn't loaded: rows of another query must not pass for its result.
    case keepUntilResponse
    /// They stay until the first page arrives, since the list is the same, only newer. If the load is canceled, the list goes
    /// on from where it was.
    case keepUntilPage
}

/// The state of a list that comes in pages: a value, with no concurrency inside.
///
/// It hands out a ``Ticket`` for a load and takes the ticket back with a page or an error:
///
/// ```swift
/// guard let ticket = list.begin() else { return }  // a load is on its way, or the list has ended
/// do {
///     list.receive(try await repository.page(of: followers, at: ticket.cursor), for: ticket)
/// } catch {
///     list.fail(ticket, with: error)
/// }
/// ```
///
/// What it guarantees, whatever order things happen in:
/// - one load at a time, and each page is asked for once unless it failed;
/// - a ticket from before a ``reset(_:)`` has no effect;
/// - rows are unique by id, first come, in the server's order;
/// - a cursor that comes a second time ends the list, so that links in a circle do;
/// - a failed page is asked for again by ``retry()``, not by scrolling on.
public struct PagedList<Element: Identifiable & Equatable & Sendable>: Sendable where Element.ID: Sendable {
    /// The right to bring one page.
    public struct Ticket: Hashable, Sendable {
        /// The page to ask the repository for; `nil` is the first.
        public let cursor: PageCursor?
        fileprivate let number: Int
    }

    /// What the list is doing.
    public enum Phase: Equatable, Sendable {
        /// The next page can be asked for.
        case ready
        /// A page is on its way.
        case loading
        /// The last load failed.
        case failed(BrowseError)
        /// There are no more pages.
        case ended
    }

    /// Where a list was before it started over, to go on from there if its first page isn't loaded after all.
    private struct Position: Sendable {
        var phase: Phase
        var pageCount: Int
        var next: PageCursor?
        var cursors: Set<PageCursor>
        var retention: RowRetention
    }

    /// How close to the end a visible row must be for the next page to be wanted, in rows.
    public let prefetchDistance: Int

    /// What the list is doing.
    public private(set) var phase: Phase = .ready
    /// The rows that could not be read, over all pages.
    public private(set) var skippedCount: Int = 0
    /// How many pages have come since the last reset.
    public private(set) var pageCount: Int = 0
    /// The ticket that is out and still good.
    public private(set) var current: Ticket?
    /// Where the rows came from, the least certain of all pages; `nil` while there are none.
    public private(set) var provenance: Provenance?

    /// When the rate limit ends that the load waits for; `nil` while it waits for none.
    public private(set) var waitEnd: Date?

    private var all = Rows<Element>()
    /// The rows that pass the filter, page for page beside ``all``; `nil` without one, so that nothing is kept twice.
    private var filtered: Rows<Element>?
    private var isIncluded: (@Sendable (Element) -> Bool)?
    /// Which page each known row is on.
    private var slots = RowIndex()
    private var next: PageCursor?
    private var cursors: Set<PageCursor> = []
    private var ticketCount = 0
    /// Whether the rows are those from before a reset, or those of a preview, and how long they stay.
    private var retention = RowRetention.discard
    private var previous: Position?

    /// Creates an empty list.
    ///
    /// - Parameter prefetchDistance: See ``prefetchDistance``; at least 0.
    public init(prefetchDistance: Int = 10) {
        self.prefetchDistance = max(0, prefetchDistance)
    }

    /// The rows to show: all of them, or those that pass the filter.
    public var rows: Rows<Element> { filtered ?? all }

    /// How many rows have been loaded, whether they pass the filter or not.
    public var loadedCount: Int { all.count }

    /// Whether the first page is to take the place of the rows: those from before a ``reset(_:)``, or those of a
    /// ``preview(_:for:from:)``.
    public var isRefreshing: Bool { retention != .discard }

    /// Whether there may be more pages.
    public var hasMore: Bool { phase != .ended }

    /// Whether the last load failed.
    var hasFailed: Bool {
        if case .failed = phase { true } else { false }
    }

    /// The loaded row with an id, whether it passes the filter or not; `nil` when there is none.
    public func row(_ id: Element.ID) -> Element? {
        slot(of: id).flatMap { all.slots[$0].segment.elements.first { $0.id == id } }
    }

    /// The position of a row in ``rows``; `nil` when no row that passes the filter has the id.
    public func position(of id: Element.ID) -> Int? {
        guard let slot = slot(of: id) else { return nil }
        let rows = rows
        return rows.slots[slot].segment.elements.firstIndex { $0.id == id }.map { rows.start(of: slot) + $0 }
    }

    /// Whether a row is so close to the end that the next page should be loaded when the row appears.
    ///
    /// - Parameter position: The position of the row in ``rows``.
    public func isNearEnd(_ position: Int) -> Bool {
        position >= rows.count - 1 - prefetchDistance
    }
}

extension PagedList {
    /// Starts the load of the next page; `nil` when one is on its way, the last one failed, or there is none.
    public mutating func begin() -> Ticket? {
        phase == .ready ? issue() : nil
    }

    /// Starts the load of the page that failed; `nil` when none did.
    public mutating func retry() -> Ticket? {
        guard case .failed = phase else { return nil }
        return issue()
    }

    /// Notes when the rate limit ends that the load waits for; `false` when that changes nothing.
    @discardableResult
    public mutating func setWaitEnd(_ end: Date?) -> Bool {
        let end = phase == .loading ? end : nil
        guard end != waitEnd else { return false }
        waitEnd = end
        return true
    }

    private mutating func issue() -> Ticket {
        ticketCount += 1
        let ticket = Ticket(cursor: next, number: ticketCount)
        current = ticket
        phase = .loading
        return ticket
    }

    /// Shows a first page that was kept while the ticket goes on to bring it again; `false` when that is not wanted: the
    /// ticket is no longer good, or there are rows already.
    ///
    /// The rows stay when the page does not come, and are loaded again by ``retry()``.
    @discardableResult
    public mutating func preview(_ page: Page<Element>, for ticket: Ticket, from provenance: Provenance) -> Bool {
        guard ticket == current, ticket.cursor == nil, all.isEmpty, !page.items.isEmpty else { return false }
        append(page.items)
        skippedCount = page.skipped.count
        self.provenance = provenance
        retention = .keepUntilPage
        return true
    }

    /// Takes a page for a ticket; `false` when the ticket is no longer good and the page was dropped.
    @discardableResult
    public mutating func receive(
        _ page: Page<Element>,
        for ticket: Ticket,
        from provenance: Provenance = .fresh
    ) -> Bool {
        guard ticket == current else { return false }
        (current, waitEnd) = (nil, nil)
        let isInPlace = retention == .keepUntilPage && all.slots.count == 1
        if isInPlace { replaceRows(with: page.items) } else { dropOldRows() }
        self.provenance = self.provenance?.combined(with: provenance) ?? provenance
        pageCount += 1
        skippedCount += page.skipped.count
        if !isInPlace { append(page.items) }
        next = page.next
        // The same cursor twice is a circle.
        phase = page.next.map { cursors.insert($0).inserted } ?? false ? .ready : .ended
        return true
    }

    /// Takes an error for a ticket; `false` when the ticket is no longer good.
    ///
    /// A canceled load is no failure: see ``release(_:)``. A first page that isn't found removes all rows, also those that
    /// were cached.
    @discardableResult
    public mutating func fail(_ ticket: Ticket, with error: BrowseError) -> Bool {
        guard error != .cancelled else { return release(ticket) }
        guard ticket == current else { return false }
        (current, waitEnd) = (nil, nil)
        if retention == .keepUntilResponse || (ticket.cursor == nil && error.isNotFound) { dropOldRows() }
        phase = .failed(error)
        return true
    }

    /// Gives a ticket back unused; `false` when the ticket is no longer good.
    ///
    /// The page can be loaded as if it hadn't been tried. A list that was refreshing goes on from where it was before.
    @discardableResult
    public mutating func release(_ ticket: Ticket) -> Bool {
        guard ticket == current else { return false }
        (current, waitEnd) = (nil, nil)
        phase = .ready
        if retention == .keepUntilResponse { dropOldRows() }
        if let previous {
            (phase, pageCount, next) = (previous.phase, previous.pageCount, previous.next)
            (cursors, retention) = (previous.cursors, previous.retention)
            self.previous = nil
        }
        return true
    }

    /// Forgets everything but the filter, and makes every ticket that is out worthless.
    ///
    /// - Parameter retention: What happens to the rows.
    public mutating func reset(_ retention: RowRetention = .discard) {
        let before = self
        self = PagedList(prefetchDistance: prefetchDistance)
        ticketCount = before.ticketCount
        isIncluded = before.isIncluded
        filtered = isIncluded.map { _ in Rows() }
        guard retention != .discard, !before.all.isEmpty else { return }
        (all, filtered, slots, provenance) = (before.all, before.filtered, before.slots, before.provenance)
        skippedCount = before.skippedCount
        self.retention = retention
        // Rows of an earlier query that were not replaced yet don't become the result of this one.
        if before.retention == .keepUntilResponse { self.retention = .keepUntilResponse }
        if self.retention == .keepUntilPage { previous = before.previous ?? before.position }
    }

    private var position: Position {
        // A load that was in flight is no longer.
        let phase = phase == .loading ? .ready : phase
        return Position(phase: phase, pageCount: pageCount, next: next, cursors: cursors, retention: retention)
    }

    private mutating func dropOldRows() {
        guard retention != .discard else { return }
        all = Rows()
        filtered = isIncluded.map { _ in Rows() }
        forgetOldRows()
    }

    /// Puts a newer version in place of the rows of the only page, so that a view keeps its place.
    private mutating func replaceRows(with elements: [Element]) {
        forgetOldRows()
        let unique = enter(elements, in: 0)
        all.replace(slot: 0, with: unique)
        if let isIncluded { filtered?.replace(slot: 0, with: unique.filter(isIncluded)) }
    }

    private mutating func forgetOldRows() {
        slots = RowIndex()
        skippedCount = 0
        provenance = nil
        retention = .discard
        previous = nil
    }

    private mutating func append(_ elements: [Element]) {
        let fresh = enter(elements, in: all.slots.count)
        guard !fresh.isEmpty else { return }
        if let isIncluded { filtered?.append(fresh.filter(isIncluded)) }
        all.append(fresh)
    }

    /// Notes that rows are on a page; returns those that were on none.
    private mutating func enter(_ elements: [Element], in slot: Int) -> [Element] {
        let isFresh = slots.insert(elements.map { Self.hash(of: $0.id) }, slot: slot) { position, known in
            let id = elements[position].id
            return known == slot ? elements[..<position].contains { $0.id == id } : all.has(id, in: known)
        }
        return isFresh.contains(false) ? zip(elements, isFresh).filter(\.1).map(\.0) : elements
    }
}

extension PagedList {
    /// Shows only some of the rows, also of pages that come later; `nil` shows all again.
    ///
    /// Looks at every loaded row once.
    public mutating func filter(_ isIncluded: (@Sendable (Element) -> Bool)?) {
        self.isIncluded = isIncluded
        guard let isIncluded else {
            guard filtered != nil else { return }
            filtered = nil
            all = all.inNewLineage()
            return
        }
        var rows = Rows<Element>()
        for slot in all.slots { rows.append(slot.segment.elements.filter(isIncluded)) }
        filtered = rows
    }

    /// Puts a newer version of a row in its place; `false` when no row has its id or it is the same.
    @discardableResult
    public mutating func update(_ element: Element) -> Bool {
        update(id: element.id) { $0 = element }
    }

    /// Changes a row in its place; `false` when no row has that id or it stays the same.
    ///
    /// - Parameters:
    ///   - id: The row.
    ///   - change: Changes it; the id must stay.
    @discardableResult
    public mutating func update(id: Element.ID, _ change: (inout Element) -> Void) -> Bool {
        guard let slot = slot(of: id) else { return false }
        return replace(slot) { elements in
            guard let place = elements.firstIndex(where: { $0.id == id }) else { return false }
            var element = elements[place]
            change(&element)
            guard element != elements[place] else { return false }
            elements[place] = element
            return true
        }
    }

    /// Changes every row in its place; pages whose rows all stay the same are shared with what was there before.
    public mutating func updateAll(_ change: (inout Element) -> Void) {
        for slot in all.slots.indices {
            _ = replace(slot) { elements in
                let changed = elements.map { element in
                    var element = element
                    change(&element)
                    return element
                }
                guard changed != elements else { return false }
                elements = changed
                return true
            }
        }
    }

    /// Puts a row in, for lists that stay in an order of their own; `false` when a row has its id already.
    ///
    /// - Parameters:
    ///   - element: The row.
    ///   - position: Where it is to stand among all loaded rows, 0 to ``loadedCount``.
    @discardableResult
    public mutating func insert(_ element: Element, at position: Int) -> Bool {
        precondition((0...all.count).contains(position), "Row \(position) of \(all.count)")
        guard slot(of: element.id) == nil else { return false }
        // Behind the last row of a page it is still of that page.
        guard let slot = all.slots.firstIndex(where: { position <= $0.end }) else {
            append([element])
            return true
        }
        _ = slots.insert([Self.hash(of: element.id)], slot: slot) { [all] _, known in all.has(element.id, in: known) }
        let place = position - all.start(of: slot)
        return replace(slot) { elements in
            elements.insert(element, at: place)
            return true
        }
    }

    /// The position among all loaded rows before which a row belongs, in a list whose rows are in order.
    ///
    /// - Parameter belongsBefore: Whether the new row belongs before a row; false for the first rows, true from one on.
    public func position(where belongsBefore: (Element) -> Bool) -> Int {
        var low = 0
        var high = all.count
        while low < high {
            let middle = (low + high) / 2
            if belongsBefore(all[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Takes a row out; `false` when no row has that id.
    @discardableResult
    public mutating func remove(id: Element.ID) -> Bool {
        guard let slot = slot(of: id) else { return false }
        slots.remove(Self.hash(of: id)) { all.has(id, in: $0) }
        return replace(slot) { elements in
            elements.removeAll { $0.id == id }
            return true
        }
    }

    private mutating func replace(_ slot: Int, _ body: (inout [Element]) -> Bool) -> Bool {
        var elements = all.slots[slot].segment.elements
        guard body(&elements) else { return false }
        all.replace(slot: slot, with: elements)
        if let isIncluded { filtered?.replace(slot: slot, with: elements.filter(isIncluded)) }
        return true
    }

    private func slot(of id: Element.ID) -> Int? {
        slots.slot(Self.hash(of: id)) { all.has(id, in: $0) }
    }

    private static func hash(of id: Element.ID) -> Int {
        var hasher = Hasher()
        hasher.combine(id)
        return hasher.finalize()
    }
}
