import BrowseDomain
import BrowsePresentation

/// How the rows of a list are written: as a table for a person, as fields and as JSON for programs.
struct RowStyle<Row> {
    let columns: [Table.Column]
    /// The cells of a row, one for each column.
    let cells: (Row) -> [String]
    /// The row for programs; its order and meaning do not change.
    let fields: (Row) -> [String]
    let json: (Row) -> JSON
    let counted: Phrase.Counted
}

/// Writes what a list screen shows: rows first, then what went wrong, so that whatever was loaded is shown.
@MainActor
struct ListReport<Row: ListRow> {
    let session: Session
    let style: RowStyle<Row>
    let title: String
    /// Whether it is of GitHub, where signing in helps against some failures.
    var isOfGitHub: Bool = true
    /// Whether a server has it, so that it may be older than what the server has by now.
    var isOfServer: Bool = true
    /// Whether every page was asked for.
    var isAll: Bool = false
    /// Whether a filter leaves rows out.
    var isFiltered: Bool = false
    /// What a search says of its count.
    var summary: String?
    /// How many there are in all, where that is known.
    var totalCount: Int?
    /// What to write above groups of rows.
    var headings: [(title: String, first: Int)] = []

    func write(_ content: ListState<Row>) throws(Sink.Failure) -> Outcome {
        if session.isJSON {
            if content.isWorthJSON { try session.output.print([Line(json(content))]) }
        } else if !content.rows.isEmpty {
            try print(content)
        }
        if isOfServer, content.rows.isEmpty || !session.output.isTerminal { session.noteAge(of: content.provenance) }
        if content.skippedCount > 0 { session.note(session.words(.skipped(content.skippedCount))) }
        if let interruption = session.interruption {
            let count = content.loadedCount
            session.note(session.words(count > 0 ? .stopped(count, style.counted) : .stoppedEarly))
            return interruption
        }
        switch content.status {
        case .empty(let message):
            return session.isJSON ? .success : session.report(message)
        case .noMatches(let message):
            let hint: Phrase? = content.hasMore && !isAll ? .onlyFirstPage : nil
            return session.isJSON ? .success : session.report(message, hint: hint)
        case .failed(let message), .failedMore(let message):
            return session.report(message, hint: isOfGitHub ? session.hint(for: message) : nil)
        case .idle, .loading, .ready, .loadingMore, .refreshing:
            return .success
        }
    }

    private func json(_ content: ListState<Row>) -> JSON {
        let object: JSON = .object([
            "title": .text(title), "total": JSON(totalCount), "has_more": .flag(content.hasMore),
            "skipped": .number(Int64(content.skippedCount)), "items": .list(content.rows.map(style.json)),
        ])
        return isOfServer ? object.adding(session.source(of: content.provenance)) : object
    }

    private func print(_ content: ListState<Row>) throws(Sink.Failure) {
        guard session.output.isTerminal else {
            try session.output.print(content.rows.lazy.map { Line(fields: style.fields($0)) })
            // A list that looks whole and is not is told of, where a person is there to read it.
            // A failure or an interruption tells it by itself.
            if content.hasMore, content.status == .ready, session.interruption == nil, session.errors.isTerminal {
                session.note(footer(content))
            }
            return
        }
        let width = session.output.columns()
        let table = Table(style.columns, rows: content.rows.map(style.cells)).lines(width: width)
        var lines = [Line(title.harmless.cut(to: width), .bold)]
        if isOfServer, let age = session.age(of: content.provenance) { lines.append(Line(age.cut(to: width), .dim)) }
        lines += [Line(), table[0]]
        var headings = headings[...]
        for (index, line) in table.dropFirst().enumerated() {
            if let heading = headings.first, heading.first == index {
                lines.append(Line(heading.title.harmless.cut(to: width), .bold))
                headings.removeFirst()
            }
            lines.append(line)
        }
        lines += [Line(), Line(footer(content).cut(to: width), .dim)]
        try session.output.print(lines)
    }

    private func footer(_ content: ListState<Row>) -> String {
        let invites = content.hasMore && !isAll
        let count = content.loadedCount
        let words = session.words
        let counted = style.counted
        let loaded: String =
            if isFiltered {
                words(
                    invites
                        ? .matchingUseAll(content.rows.count, of: count, counted)
                        : .matching(content.rows.count, of: count, counted)
                )
            } else if content.hasMore {
                words(invites ? .loadedUseAll(count, counted) : .loaded(count, counted))
            } else {
                words(.all(count, counted))
            }
        guard let summary else { return loaded }
        return content.hasMore ? "\(summary) · \(loaded)" : summary
    }
}

extension ListState {
    /// Whether there is something to say on the output: rows, or that there are none.
    fileprivate var isWorthJSON: Bool {
        switch status {
        case .ready, .loadingMore, .refreshing, .empty, .noMatches, .failedMore: true
        case .idle, .loading, .failed: !rows.isEmpty
        }
    }

    /// Whether the first page came, and others may follow.
    var canLoadMore: Bool {
        switch status {
        case .ready, .noMatches: hasMore
        // An empty page may have a next one.
        case .empty: hasMore
        case .idle, .loading, .refreshing, .loadingMore, .failed, .failedMore: false
        }
    }
}

extension Session {
    /// Loads page after page until there is no more, one fails, or the person has had enough.
    func loadAll<Model: ListViewModel>(
        _ model: Model,
        _ content: KeyPath<Model.State, ListState<Model.Row>>,
        _ counted: Phrase.Counted
    ) async {
        let progress = Progress(errors, canErase: canErase)
        while model.state[keyPath: content].canLoadMore, !Task.isCancelled {
            progress.show(words(.loading(model.state[keyPath: content].loadedCount, counted)))
            await model.loadMore()
        }
        progress.clear()
    }
}
