import BrowseKit

/// An item with its fields: as a page for a person, and as lines or JSON for programs.
struct DetailPage {
    /// One field.
    struct Field {
        /// The stable name for programs.
        let key: String
        /// The localized name.
        let label: String
        let value: String
        /// Whether the value stands for a missing one.
        var isMissing = false

        init(_ key: String, _ label: String, _ value: String, isMissing: Bool = false) {
            self.key = key
            self.label = label
            self.value = value
            self.isMissing = isMissing
        }
    }

    let title: String
    var subtitle: String?
    let fields: [Field]
    let json: JSON
}

extension Session {
    /// Writes an item and its related rows.
    ///
    /// - Parameter provenance: The combined provenance of both.
    func write(
        _ page: DetailPage,
        from provenance: Provenance?,
        related: [[String]] = [],
        json relatedJSON: [JSON] = [],
        table: () -> [Line] = { [] }
    ) throws(Sink.Failure) {
        if isJSON {
            let object: JSON =
                relatedJSON.isEmpty ? page.json : .object(["item": page.json, "related": .list(relatedJSON)])
            return try output.print([Line(object.adding(source(of: provenance)))])
        }
        guard output.isTerminal else {
            defer { printAge(of: provenance) }
            let fields = page.fields.map { Line(fields: [$0.key, $0.value]) }
            return try output.print([Line(fields: ["name", page.title])] + fields + related.map { Line(fields: $0) })
        }
        let rows = related.isEmpty ? [] : [Line()] + table()
        try output.print(lines(of: page, age: age(of: provenance)) + rows)
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
