import Foundation
import Mustache

/// The templates of the site. Mustache escapes all values; only HTML that a template rendered is included as it is.
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
            var style: String?
            if case .rows(let rows) = part.content { style = rows.style.rawValue }
            return render("part", PartView(id: part.id.rawValue, html: render(part), style: style))
        }
        .joined()
    }
}

/// The element of a part.
struct PartView: Sendable {
    let id: String
    /// The inside.
    let html: String
    /// The arrangement of the rows, if the part is a list.
    let style: String?
}
