/// A change of an open page, as `app.js` applies it. The README describes the fields.
struct PageOperation: Encodable, Equatable, Sendable {
    private enum Kind: String, Encodable {
        case title, token, main, part, remove, insert, update
    }

    private let op: Kind
    private var id: String?
    private var row: String?
    private var before: String?
    private var text: String?
    private var html: String?

    private init(_ op: Kind) {
        self.op = op
    }

    /// Sets the title of the document.
    static func title(_ text: String) -> Self {
        var operation = Self(.title)
        operation.text = text
        return operation
    }

    /// Replaces the token of forms.
    static func token(_ text: String) -> Self {
        var operation = Self(.token)
        operation.text = text
        return operation
    }

    /// Replaces the inside of `main`.
    static func main(_ html: String) -> Self {
        var operation = Self(.main)
        operation.html = html
        return operation
    }

    /// Replaces the inside of a part's element.
    static func part(_ id: String, _ html: String) -> Self {
        var operation = Self(.part)
        (operation.id, operation.html) = (id, html)
        return operation
    }

    /// Removes a row.
    static func remove(_ row: String) -> Self {
        var operation = Self(.remove)
        operation.row = row
        return operation
    }

    /// Inserts rows before another one; `nil` appends them.
    static func insert(before: String?, _ html: String) -> Self {
        var operation = Self(.insert)
        (operation.before, operation.html) = (before, html)
        return operation
    }

    /// Replaces the element of a row.
    static func update(_ row: String, _ html: String) -> Self {
        var operation = Self(.update)
        (operation.row, operation.html) = (row, html)
        return operation
    }
}
