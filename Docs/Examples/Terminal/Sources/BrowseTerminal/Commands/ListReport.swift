import BrowseKit

/// The formats of rows: table cells for a person, fields and JSON for programs.
struct RowStyle<Row> {
    /// A cell of a table, and its column.
    struct Cell {
        let column: Table.Column
        let text: String

        init(_ title: String, _ text: String, minWidth: Int = .max, isNumeric: Bool = false) {
            column = Table.Column(title, minWidth: minWidth, isNumeric: isNumeric)
            self.text = text
        }

        init(_ fact: Fact?, minWidth: Int) {
            self.init(fact?.label ?? "", fact?.value ?? "", minWidth: minWidth)
        }
    }

    var unit: Phrase.CountUnit = .things
    /// Whether the rows are GitHub's, where signing in helps against some failures.
    var isGitHub: Bool = false
    /// Returns a cell for each column.
    let cells: (Row) -> [Cell]
    /// Returns the fields, whose order and meaning are stable.
    let fields: (Row) -> [String]
    let json: (Row) -> JSON

    /// Returns a table of rows, whose first row has the titles of the columns.
    func table(of rows: some Sequence<Row>) -> Table {
        let rows = rows.map(cells)
        return Table(rows.first?.map(\.column) ?? [], rows: rows.map { $0.map(\.text) })
    }
}

/// Writes a list: rows first, then an error of a later page.
@MainActor
struct ListReport<Row: ListRow> {
    let session: Session
    let style: RowStyle<Row>
    var title: String
    /// Whether the list comes from a server, so it can be out of date.
    var isRemote: Bool = true
    /// Whether all pages were requested.
    var isAll: Bool = false
    /// Whether a filter hides rows.
    var isFiltered: Bool = false
    /// The summary of a search.
    var summary: String?
    /// The total number of results, if known.
    var totalCount: Int?
    /// Whether the search ended before all results, of which the service has more than it counts.
    var isCut: Bool = false
    /// The titles of groups, and the index of their first row.
    var headings: [(title: String, first: Int)] = []

    func write(_ content: ListState<Row>) throws(Sink.Failure) -> Outcome {
        if session.isJSON {
            if content.hasOutput { try session.output.print([Line(json(content))]) }
        } else if !content.rows.isEmpty {
            try print(content)
        }
        if isRemote, content.rows.isEmpty || !session.output.isTerminal { session.printAge(of: content.provenance) }
        if content.skippedCount > 0 { session.printNote(session.texts(.skipped(content.skippedCount))) }
        // A search that ends before all results says so at the end of a table.
        if !content.rows.isEmpty, !content.hasMore, session.isJSON || !session.output.isTerminal, let summary,
            isCut || totalCount.map({ summary != session.texts(.resultCount($0)) }) == true
        {
            session.printNote(summary)
        }
        if let interruption = session.interruption {
            let count = content.loadedCount
            session.printNote(session.texts(count > 0 ? .stopped(count, style.unit) : .stoppedEarly))
            return interruption
        }
        let isEndless = isAll && content.hasMore
        switch content.status {
        // Also if a filter hides the rows, or there are none so far.
        case .ready where isEndless, .noMatches where isEndless:
            session.printError(session.texts(.barren))
            return .server
        case .empty(let message), .noMatches(let message):
            // Programs see in the object that there is nothing, but not that the server stopped before it found all.
            if session.isJSON, Outcome(message.kind) == .success { return .success }
            return session.report(message, hint: content.hasMore ? .onlyFirstPage : nil)
        case .failed(let message), .failedMore(let message), .incomplete(let message), .failedRefresh(let message):
            return session.report(message, hint: style.isGitHub ? session.hint(for: message) : nil)
        case .idle, .loading, .ready, .loadingMore, .refreshing:
            return .success
        }
    }

    private func json(_ content: ListState<Row>) -> JSON {
        let object: JSON = .object([
            "title": .text(title), "total": JSON(totalCount), "has_more": .flag(content.hasMore),
            "skipped": .number(Int64(content.skippedCount)), "items": .list(content.rows.map(style.json)),
        ])
        return isRemote ? object.adding(session.source(of: content.provenance)) : object
    }

    private func print(_ content: ListState<Row>) throws(Sink.Failure) {
        guard session.output.isTerminal else {
            try session.output.print(content.rows.lazy.map { Line(fields: style.fields($0)) })
            // Points out missing pages to a person; failures and interruptions have their own messages.
            if content.hasMore, content.status == .ready, session.interruption == nil, session.errors.isTerminal {
                session.printNote(footer(content))
            }
            return
        }
        let width = session.output.columns()
        let table = style.table(of: content.rows).lines(width: width)
        var lines = [Line(title.sanitized.cut(to: width), .bold)]
        if isRemote, let age = session.age(of: content.provenance) { lines.append(Line(age.cut(to: width), .dim)) }
        lines += [Line(), table[0]]
        var headings = headings[...]
        for (index, line) in table.dropFirst().enumerated() {
            if let heading = headings.first, heading.first == index {
                lines.append(Line(heading.title.sanitized.cut(to: width), .bold))
                headings.removeFirst()
            }
            lines.append(line)
        }
        lines += [Line(), Line(footer(content).cut(to: width), .dim)]
        try session.output.print(lines)
    }

    private func footer(_ content: ListState<Row>) -> String {
        let hasHint = content.hasMore && !isAll
        let count = content.loadedCount
        let texts = session.texts
        let unit = style.unit
        let loaded: String =
            if isFiltered {
                texts(
                    hasHint
                        ? .matchingUseAll(content.rows.count, of: count, unit)
                        : .matching(content.rows.count, of: count, unit)
                )
            } else if content.hasMore {
                texts(hasHint ? .loadedUseAll(count, unit) : .loaded(count, unit))
            } else {
                texts(content.status.isComplete ? .all(count, unit) : .some(count, unit))
            }
        guard let summary else { return loaded }
        return content.hasMore || !content.status.isComplete ? "\(summary) · \(loaded)" : summary
    }
}

extension ListState.Status {
    /// Whether a list without further pages has all rows.
    ///
    /// The service may have left some out, or show no more.
    fileprivate var isComplete: Bool {
        switch self {
        case .incomplete, .failed, .failedMore, .failedRefresh: false
        case .idle, .loading, .ready, .loadingMore, .refreshing, .empty, .noMatches: true
        }
    }
}

extension ListState {
    /// Whether the output has content: rows, or an empty list.
    fileprivate var hasOutput: Bool {
        switch status {
        case .ready, .loadingMore, .refreshing, .empty, .noMatches, .failedMore, .incomplete, .failedRefresh: true
        case .idle, .loading, .failed: !rows.isEmpty
        }
    }
}
