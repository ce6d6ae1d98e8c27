// The rows of a view model as a GListModel.
import BrowseKit
import CDesktop

/// A GListModel of the rows of a view model, which is told of the differences between two states.
final class RowModel<Row: ListRow> {
    /// The GListModel. It has an object for each row, to which selection, focus, and place belong.
    let object: OpaquePointer
    /// The rows that GTK was told of, in the middle of a change, too.
    private(set) var items: [Row] = []
    /// The rows that were applied last.
    private var shown = Rows<Row>()
    /// G_TYPE_OBJECT, which is a macro.
    private let type = GType(20 << 2)

    init() { object = g_list_store_new(type) }

    isolated deinit { g_object_unref(gpointer(object)) }

    /// Returns the row at a position; `nil` behind the end.
    func row(at position: Int) -> Row? { items.indices.contains(position) ? items[position] : nil }

    /// Shows rows; returns those whose contents changed, but not their place, and `nil` for another
    /// list.
    func apply(_ rows: Rows<Row>) -> [Row]? {
        let change = rows.change(since: shown)
        shown = rows
        switch change {
        case .none: return []
        case .reset:
            replace(0..<items.count, with: rows[...])
            return nil
        case .update(let update):
            // GTK 4.8 mixes up cells if objects move within a signal, so each run has its own. From the
            // end, old positions stay valid; then each insertion has its new position.
            for run in Self.runs(update.removed).reversed() { replace(run, with: rows[..<0]) }
            for run in Self.runs(update.inserted) + [update.appended] {
                replace(run.lowerBound..<run.lowerBound, with: rows[run])
            }
            for position in update.updated { items[position] = rows[position] }
            return update.updated.map { rows[$0] }
        }
    }

    private func replace(_ range: Range<Int>, with rows: Slice<Rows<Row>>) {
        guard !range.isEmpty || !rows.isEmpty else { return }
        items.replaceSubrange(range, with: rows)
        var objects = rows.map { _ in gpointer(g_object_new_with_properties(type, 0, nil, nil)) }
        g_list_store_splice(object, UInt32(range.lowerBound), UInt32(range.count), &objects, UInt32(objects.count))
        for object in objects { g_object_unref(object) }
    }

    /// Groups positions, so that each group is one signal.
    private static func runs(_ positions: [Int]) -> [Range<Int>] {
        Array(RangeSet(positions.map { $0..<$0 + 1 }).ranges)
    }
}
