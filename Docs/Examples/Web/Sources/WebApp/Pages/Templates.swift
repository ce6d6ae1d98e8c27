import Foundation
import Mustache

/// The templates of the site. Mustache escapes all values except HTML that a template rendered.
struct Templates: Sendable {
    private let library: MustacheLibrary

    /// Reads the templates from the resources.
    init() async throws {
        library = try await MustacheLibrary(directory: Bundle.module.bundlePath + "/Templates")
    }

    /// Renders a template; the names of all templates are constants.
    func render(_ name: String, _ values: any Sendable) -> String {
        guard let html = library.render(values, withTemplate: name) else {
            preconditionFailure("There is no template \(name)")
        }
        return html
    }

    /// Renders the inside of a part's element.
    func render(_ part: PagePart) -> String {
        switch part.content {
        case .template(let name, let values): render(name, values)
        case .rows(let rows): (0..<rows.count).map { render(rows[$0]) }.joined()
        }
    }

    /// Renders the element of a row.
    func render(_ row: RowView) -> String { render("row", row) }

    /// Renders the inside of `main`.
    func render(_ content: PageContent) -> String {
        content.parts.map { part in
            render("part", PartView(id: part.id, html: render(part), rows: part.rows))
        }
        .joined()
    }
}

/// The element of a part.
private struct PartView: Sendable {
    let id: String
    /// The inside.
    let html: String
    /// The list in the element, if it is one.
    let rows: RowList?
}

extension PagePart {
    /// The rows; `nil` if the part isn't a list.
    var rows: RowList? {
        if case .rows(let rows) = content { rows } else { nil }
    }
}
