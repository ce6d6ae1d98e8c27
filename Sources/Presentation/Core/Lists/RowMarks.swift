public import BrowseDomain

/// A mark of rows that a person turns on and off.
public struct RowMark: Hashable, Sendable {
    /// Whether the row is a favorite.
    public static let favorite: RowMark = RowMark("favorite", remedy: "Set favorites of its ScreenOptions.")

    let name: String
    let remedy: String

    /// Creates a mark, such as that of a service of your own.
    ///
    /// - Parameters:
    ///   - name: The name, a noun.
    ///   - remedy: The sentence that says how to let the person change the mark, for the report
    ///     that a list doesn't.
    public init(_ name: String, remedy: String = "Call onChange(of:_:) of its controller.") {
        self.name = name
        self.remedy = remedy
    }
}

/// Marks the rows of a list, such as those that are favorites; see ``ListController/add(_:)``.
@MainActor
public struct RowMarks<Row: ListRow> {
    /// Called before each request, away from the main actor; returns what marks its page.
    public typealias BeginRead = @Sendable () -> @MainActor @Sendable (inout Page<Row>, Provenance) -> Void

    let follow: (_ isRefresh: Bool) -> ScreenLoad?
    let beginRead: BeginRead?
    let mark: (_ rows: inout [Row]) -> Void

    /// Creates marks that are loaded with the list.
    ///
    /// - Parameters:
    ///   - follow: Loads the marks and observes their changes; called when the list starts over and
    ///     at each retry. The parameter is true if known marks are reloaded. Returns `nil` if
    ///     callers of the list don't wait for the load.
    ///   - beginRead: Called before each request, for marks that a response changes only if it was
    ///     requested after their last change; returns what marks its page. `nil` if there are none.
    ///   - mark: Marks the rows of each page before they are shown.
    public init(
        follow: @escaping @MainActor (_ isRefresh: Bool) -> ScreenLoad?,
        beginRead: BeginRead? = nil,
        mark: @escaping @MainActor (_ rows: inout [Row]) -> Void = { _ in }
    ) {
        self.follow = follow
        self.beginRead = beginRead
        self.mark = mark
    }

    /// Creates marks that are known already; when they change, call ``ListController/update(_:)``.
    ///
    /// - Parameter mark: Marks each row before it's shown.
    public init(each mark: @escaping @MainActor (_ row: inout Row) -> Void) {
        self.init(follow: { _ in nil }, beginRead: nil) { rows in
            for index in rows.indices { mark(&rows[index]) }
        }
    }
}

extension ListController {
    /// Adds marks to the rows of later pages; call it before the list begins.
    public func add(_ marks: RowMarks<Row>) {
        if hasBegun { ScreenMisuse.record("The rows lack a mark that was added after the list began. Add it before.") }
        self.marks.append(marks)
    }

    /// Lets the person change a mark; see ``ListIntents/set(_:of:to:)``.
    ///
    /// - Parameters:
    ///   - mark: The mark.
    ///   - set: Changes the mark of a row. It must capture this controller weakly.
    public func onChange(of mark: RowMark, _ set: @escaping @MainActor (_ row: Row, _ isOn: Bool) async -> Route?) {
        setters[mark] = set
    }

    /// Consumes the page, so that its rows aren't copied.
    func marked(_ page: consuming Page<Row>, from provenance: Provenance) -> Page<Row> {
        let source = isStored ? .saved : PreviewSource(provenance, readAt: texts.formats.now())
        for index in page.items.indices { page.items[index].previewSource = source }
        for marks in marks { marks.mark(&page.items) }
        return page
    }

    /// Returns rows with all marks, such as rows that ``update(_:)`` inserts.
    public func marked(_ rows: [Row]) -> [Row] {
        modified(rows) { rows in for marks in marks { marks.mark(&rows) } }
    }
}
