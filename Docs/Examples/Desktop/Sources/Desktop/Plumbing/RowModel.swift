// The rows of a view model as a GListModel.
import BrowseKit
import CDesktop

/// The content of a GListModel.
@MainActor
class ListSource {
    /// The GListModel.
    private(set) lazy var object: OpaquePointer = makeObject()

    var count: Int { 0 }

    /// Returns the item at a position; GTK asks for positions behind the end.
    func item(at position: Int) -> UnsafeMutablePointer<GObject>? { nil }

    private func makeObject() -> OpaquePointer {
        let count: @convention(c) (UnsafeMutableRawPointer?) -> UInt32 = { context in
            nonisolated(unsafe) let context = context
            return MainActor.assumeIsolated { ListSource.of(context).map { UInt32($0.count) } ?? 0 }
        }
        let item: @convention(c) (UnsafeMutableRawPointer?, UInt32) -> UnsafeMutablePointer<GObject>? = {
            context,
            position in
            nonisolated(unsafe) let context = context
            nonisolated(unsafe) var item: UnsafeMutablePointer<GObject>?
            MainActor.assumeIsolated {
                item = ListSource.of(context)?.item(at: Int(position))
                if let item { g_object_ref(item) }
            }
            return item
        }
        let calls = DesktopListCalls(count: count, item: item)
        return desktop_list_new(Unmanaged.passUnretained(self).toOpaque(), calls)
    }

    isolated deinit { g_object_unref(UnsafeMutableRawPointer(object)) }

    private static func of(_ context: UnsafeMutableRawPointer?) -> ListSource? {
        context.map { Unmanaged<ListSource>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// A GListModel of the rows of a view model, which is told of the differences between two states.
@MainActor
final class RowModel<Row: ListRow>: ListSource {
    /// A row, and the object that stands for it. GTK keeps selection, focus, and place by object.
    private struct Item {
        var row: Row
        let object: UnsafeMutablePointer<GObject>

        init(_ row: Row) {
            self.row = row
            // The fundamental type G_TYPE_OBJECT, a macro.
            object = g_object_new_with_properties(GType(20 << 2), 0, nil, nil)
        }
    }

    /// The rows that were applied last.
    private(set) var shown = Rows<Row>()
    /// The number of signals so far.
    private(set) var signalCount = 0
    private var items: [Item] = []

    override var count: Int { items.count }

    override func item(at position: Int) -> UnsafeMutablePointer<GObject>? {
        items.indices.contains(position) ? items[position].object : nil
    }

    func row(at position: Int) -> Row? { items.indices.contains(position) ? items[position].row : nil }

    isolated deinit {
        desktop_list_detach(object, UInt32(items.count))
        for item in items { g_object_unref(item.object) }
    }

    /// Shows rows; returns those whose contents changed, but not their place.
    func apply(_ rows: Rows<Row>) -> [Row] {
        let change = rows.change(since: shown)
        shown = rows
        switch change {
        case .none: return []
        case .reset:
            replace(0..<items.count, with: Array(rows))
            return []
        case .update(let update):
            // GTK applies each signal at once. From the end, old positions stay valid; then each
            // insertion has its new position.
            for run in Self.runs(update.removed).reversed() { replace(run, with: []) }
            let appended = update.appended.isEmpty ? [] : [update.appended]
            for run in Self.runs(update.inserted) + appended {
                replace(run.lowerBound..<run.lowerBound, with: Array(rows[run]))
            }
            for position in update.updated { items[position].row = rows[position] }
            return update.updated.map { rows[$0] }
        }
    }

    private func replace(_ range: Range<Int>, with rows: [Row]) {
        guard !range.isEmpty || !rows.isEmpty else { return }
        let old = items[range]
        items.replaceSubrange(range, with: rows.map(Item.init))
        signalCount += 1
        g_list_model_items_changed(object, UInt32(range.lowerBound), UInt32(range.count), UInt32(rows.count))
        for item in old { g_object_unref(item.object) }
    }

    /// Groups ascending positions, so that each group is one signal.
    private static func runs(_ positions: [Int]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for position in positions {
            if let last = runs.last, last.upperBound == position {
                runs[runs.count - 1] = last.lowerBound..<position + 1
            } else {
                runs.append(position..<position + 1)
            }
        }
        return runs
    }

    /// Whether GTK has the rows of a state.
    func matches(_ rows: Rows<Row>) -> Bool {
        g_list_model_get_n_items(object) == rows.count && items.map(\.row).elementsEqual(rows)
    }
}
