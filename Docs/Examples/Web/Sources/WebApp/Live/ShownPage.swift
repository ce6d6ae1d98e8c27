/// What a browser shows of a page: a hash of each element, so that only what has changed is sent.
struct ShownPage: Sendable {
    /// The changes of a page, as `app.js` applies them. The README describes the fields.
    struct Update: Encodable, Equatable, Sendable {
        var title: String?
        /// The token of forms, for a page that another process or another id has begun.
        var token: String?
        /// The insides of the parts that changed, by their ids.
        var parts: [String: String] = [:]
        /// The elements of the rows that are new or changed, by their ids.
        var rows: [String: String] = [:]
        /// The ids of all rows, if their order changed.
        var order: [String]?
        /// The number of loaded rows, also of those that a filter hides, if the order changed.
        var count: Int?
    }

    private var hashes: [String: UInt64] = [:]
    /// The ids of the rows; `nil` until they're known, when the browser may show some.
    private var order: [String]?

    init() {}

    init(_ content: PageContent) { _ = advance(to: content) }

    var isEmpty: Bool { hashes.isEmpty }

    /// Identifies what is shown with a token of forms, in all processes.
    func tag(with token: String) -> String {
        let elements = hashes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" } + (order ?? []) + [token]
        return String(Self.hash(elements.joined(separator: "\n")), radix: 36)
    }

    /// Returns what leads to a content, which the browser then shows; `nil` if nothing has changed.
    mutating func advance(to content: PageContent) -> Update? {
        var update = Update()
        var new = ["title": Self.hash(content.documentTitle)]
        if hashes["title"] != new["title"] { update.title = content.documentTitle }
        for part in content.parts where !part.isInput {
            switch part.content {
            case .html(let html):
                let id = part.id.rawValue
                new[id] = Self.hash(html.text)
                if hashes[id] != new[id] { update.parts[id] = html.text }
            case .rows(_, let rows):
                for (id, html) in rows {
                    let key = "row-" + id
                    new[key] = Self.hash(html.text)
                    if hashes[key] != new[key] { update.rows[id] = html.text }
                }
                let ids = rows.map(\.id)
                if ids != order { (update.order, update.count) = (ids, content.loadedCount) }
                order = ids
            }
        }
        hashes = new
        return update == Update() ? nil : update
    }

    /// FNV-1a: the same in all processes.
    private static func hash(_ text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { $0.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }
    }
}
