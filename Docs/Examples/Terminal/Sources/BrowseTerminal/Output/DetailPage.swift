import BrowseKit

/// An item with its fields: as a page for a person, and as lines or JSON for programs.
struct DetailPage {
    let title: String
    var subtitle: String?
    /// The fields, whose ids are stable names for programs.
    let fields: [Fact]
    let json: JSON
    /// The related rows; `nil` for an item that can't have any.
    var related: RelatedRows?
}

/// The related rows of an item, in the formats of their style.
struct RelatedRows {
    let fields: [[String]]
    let json: [JSON]
    let table: Table
    let provenance: Provenance?
    /// The number of rows that couldn't be read.
    let skippedCount: Int
    /// The reason why they couldn't be loaded.
    let failure: Message?

    init<Row>(_ list: ListState<Row>, as style: RowStyle<Row>) {
        fields = list.rows.map(style.fields)
        json = list.rows.map(style.json)
        table = style.table(of: list.rows)
        provenance = list.provenance
        skippedCount = list.skippedCount
        if case .failed(let message) = list.status { failure = message } else { failure = nil }
    }
}

extension Session {
    /// Writes the item of a screen, and its related rows.
    ///
    /// - Parameters:
    ///   - model: The screen.
    ///   - isGitHub: Whether signing in helps against some failures.
    ///   - page: Describes the item.
    func write<Model: DetailViewModel>(
        _ model: Model,
        isGitHub: Bool = false,
        page: (Model.State.Details) -> DetailPage
    ) throws(Sink.Failure) -> Outcome {
        let content = model.state.content
        switch content.status {
        case .loaded(let details):
            let page = page(details)
            let combined = page.related?.provenance.flatMap { content.provenance?.combined(with: $0) }
            try write(page, from: combined ?? content.provenance)
            if let count = page.related?.skippedCount, count > 0 { printNote(texts(.skipped(count))) }
            return page.related?.failure.map { report($0) } ?? interruption ?? .success
        case .failed(let message): return report(message, hint: isGitHub ? hint(for: message) : nil)
        case .idle, .loading: return stoppedEarly
        }
    }

    /// Writes an item and its related rows.
    ///
    /// - Parameter provenance: The combined provenance of both.
    func write(_ page: DetailPage, from provenance: Provenance?) throws(Sink.Failure) {
        if isJSON {
            // Also without rows: programs read the same keys of each item of a kind.
            let related = page.related.map { JSON.object(["item": page.json, "related": .list($0.json)]) }
            let object = related ?? page.json
            return try output.print([Line(object.adding(source(of: provenance)))])
        }
        guard output.isTerminal else {
            defer { printAge(of: provenance) }
            let values = page.fields.map { [$0.id, $0.isMissing ? "" : $0.value] }
            let fields = [["name", page.title]] + values + (page.related?.fields ?? [])
            return try output.print(fields.map { Line(fields: $0) })
        }
        let table = page.related.flatMap { $0.fields.isEmpty ? nil : $0.table.lines(width: output.columns()) }
        try output.print(lines(of: page, age: age(of: provenance)) + (table.map { [Line()] + $0 } ?? []))
    }

    private func lines(of page: DetailPage, age: String?) -> [Line] {
        let width = output.columns()
        let labelWidth = (page.fields.map { $0.label.columns }.max() ?? 0) + 2
        var lines = [Line(page.title.sanitized.cut(to: width), .bold)]
        if let subtitle = page.subtitle { lines.append(Line(subtitle.sanitized.cut(to: width), .dim)) }
        if let age { lines.append(Line(age.cut(to: width), .dim)) }
        lines.append(Line())
        for field in page.fields {
            // A narrower window wraps lines by itself.
            let room = max(10, width - labelWidth)
            let parts = field.value.sanitizedLines.flatMap { $0.wrapped(to: room) }
            for (index, part) in parts.enumerated() {
                let label = index == 0 ? field.label : ""
                lines.append(Line(label.padded(to: labelWidth), .dim).adding(part, field.isMissing ? .dim : .plain))
            }
        }
        return lines
    }
}
