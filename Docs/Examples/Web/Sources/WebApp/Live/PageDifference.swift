import BrowseKit

/// Compares contents of a page with what a browser shows, so that only what changed is sent.
struct PageDifference: Sendable {
    private let templates: Templates
    private let siteTitle: String
    /// The content in the browser.
    private var shown: PageContent
    /// The inside of each part that isn't a list, by its id.
    private var html: [PagePart.ID: String]

    /// Starts with the content that the HTML of a page has.
    init(from content: PageContent, siteTitle: String, templates: Templates) {
        self.templates = templates
        self.siteTitle = siteTitle
        shown = content
        html = Self.html(of: content, templates)
    }

    /// Returns the operations that lead to another content, which the browser then shows.
    mutating func advance(to content: PageContent) -> [PageOperation] {
        let old = shown
        let oldHTML = html
        shown = content
        html = Self.html(of: content, templates)
        var operations: [PageOperation] = []
        if content.title != old.title { operations.append(.title("\(content.title) – \(siteTitle)")) }
        guard zip(old.parts, content.parts).allSatisfy(Self.areAlike), old.parts.count == content.parts.count else {
            return operations + [.main(templates.render(content))]
        }
        for (before, after) in zip(old.parts, content.parts) where !after.isInput {
            if let before = before.rows, let after = after.rows {
                operations += rowOperations(from: before, to: after)
            } else if let new = html[after.id], new != oldHTML[after.id] {
                operations.append(.part(after.id.rawValue, new))
            }
        }
        return operations
    }

    private static func html(of content: PageContent, _ templates: Templates) -> [PagePart.ID: String] {
        let parts = content.parts.lazy.filter { $0.rows == nil && !$0.isInput }
        return Dictionary(parts.map { ($0.id, templates.render($0)) }, uniquingKeysWith: { $1 })
    }

    /// Returns whether two parts have the same element.
    private static func areAlike(_ old: PagePart, _ new: PagePart) -> Bool {
        old.id == new.id && old.rows?.style == new.rows?.style
    }
}

extension PageDifference {
    private func rowOperations(from old: RowList, to new: RowList) -> [PageOperation] {
        switch new.change(since: old) {
        case .none:
            headingChanges(from: old, to: new).map { operation(updating: $0, of: new) }
        case .reset:
            [.part("rows", (0..<new.count).map { templates.render(new[$0]) }.joined())]
        case .update(let update):
            update.removed.map { .remove(old[$0].id) }
                + insertions(update, into: new)
                + Set(update.updated).union(
                    headingChanges(
                        from: old,
                        to: new,
                        removed: update.removed,
                        added: update.inserted + update.appended
                    )
                ).sorted()
                .map { operation(updating: $0, of: new) }
        }
    }

    private func operation(updating position: Int, of rows: RowList) -> PageOperation {
        let row = rows[position]
        return .update(row.id, templates.render(row))
    }

    /// Returns an operation for each run of new rows, the last one first.
    ///
    /// So the row after each run is there already.
    private func insertions(_ update: ListChange.Update, into rows: RowList) -> [PageOperation] {
        var runs: [Range<Int>] = []
        for position in update.inserted + update.appended {
            if let last = runs.last, last.upperBound == position {
                runs[runs.count - 1] = last.lowerBound..<position + 1
            } else {
                runs.append(position..<position + 1)
            }
        }
        return runs.reversed().map { run in
            let next = run.upperBound < rows.count ? rows[run.upperBound].id : nil
            return .insert(before: next, run.map { templates.render(rows[$0]) }.joined())
        }
    }

    /// Returns the positions of the rows that stayed, but whose headings changed.
    private func headingChanges(
        from old: RowList,
        to new: RowList,
        removed: [Int] = [],
        added: [Int] = []
    ) -> [Int] {
        // Equal headings may belong to other rows, because they are found by position.
        guard !old.headings.isEmpty || !new.headings.isEmpty else { return [] }
        let (removed, added) = (Set(removed), Set(added))
        let before = (0..<old.count).filter { !removed.contains($0) }
        let after = (0..<new.count).filter { !added.contains($0) }
        return zip(before, after).filter { old.headings[$0] != new.headings[$1] }.map(\.1)
    }
}

extension PagePart {
    /// The rows; `nil` if the part isn't a list.
    fileprivate var rows: RowList? {
        if case .rows(let rows) = content { rows } else { nil }
    }
}
