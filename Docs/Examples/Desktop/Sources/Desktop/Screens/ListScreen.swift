import BrowseKit
import CDesktop

/// The screen of any list: rows, messages, selection, and next pages.
@MainActor
final class ListScreen<Model: ListViewModel>: Screen {
    let root: Widget
    let model: Model
    let rows = RowModel<Model.Row>()
    let view: Widget
    var list: Widget? { view }
    /// The entries above the rows.
    let inputs = box(GTK_ORIENTATION_HORIZONTAL, 6, [])
    var entry: Widget?
    /// The entry that messages about the input are about; `nil` if there is none.
    var input: Widget? {
        get { placeholder.input }
        set { placeholder.input = newValue }
    }
    /// The loads that end with the screen.
    let work = Work()
    /// Called with each state that is shown.
    var didApply: @MainActor (Model.State) -> Void = { _ in }
    /// Returns the title of the section that begins at a position.
    var sectionTitle: (@MainActor (Int) -> String?)?

    private let texts: Texts
    private let title = label("", "title-3")
    /// The age of cached rows.
    private let age = label("", "dim-label", "caption", wraps: true)
    private let content: @MainActor (Model.Row) -> CellContent
    /// The cells by their GtkListItem.
    private var cells: [UnsafeMutableRawPointer: Cell<Model.Row>] = [:]
    private let header: MessageView
    private let placeholder: Placeholder
    private let footer: MessageView
    private let notice: MessageView
    private let progress: Widget
    private let stack: Widget = gtk_stack_new()
    private let scrolled: Widget = gtk_scrolled_window_new()
    private var wasRefreshing = false
    private var reader: Task<Void, Never>?

    /// - Parameters:
    ///   - open: Opens the route of a row or message.
    ///   - content: Describes a row.
    init(
        _ model: Model,
        container: Container,
        open: @escaping Open,
        content: @escaping @MainActor (Model.Row) -> CellContent
    ) {
        (self.model, self.content) = (model, content)
        texts = container.texts()
        let work = work
        let perform: @MainActor (Message.Action) -> Void = { [model] action in
            work.start { if let route = await model.perform(action) { open(route) } }
        }
        header = MessageView(texts, perform: perform)
        placeholder = Placeholder(perform: perform)
        footer = MessageView(texts, perform: perform)
        notice = MessageView(texts, dismiss: { [model] in model.dismissNotice() }, perform: perform)

        let factory: OpaquePointer = gtk_signal_list_item_factory_new()
        g_object_ref(UnsafeMutableRawPointer(rows.object))  // The selection takes a reference.
        let selection: OpaquePointer = gtk_single_selection_new(rows.object)
        gtk_single_selection_set_autoselect(selection, 0)
        gtk_single_selection_set_can_unselect(selection, 1)
        view = gtk_list_view_new(selection, factory)
        gtk_scrolled_window_set_child(scrolled.opaque, view)
        gtk_widget_set_vexpand(scrolled, 1)
        gtk_stack_add_named(stack.opaque, scrolled, "rows")
        gtk_stack_add_named(stack.opaque, placeholder.root, "placeholder")
        let spinner: Widget = gtk_spinner_new()
        gtk_spinner_start(spinner.opaque)
        progress = box(GTK_ORIENTATION_HORIZONTAL, 6, margin: 6, [spinner, label(texts(.loading), "dim-label")])
        gtk_widget_set_halign(progress, GTK_ALIGN_CENTER)
        setVisible(progress, false)
        let top = box(GTK_ORIENTATION_VERTICAL, 6, margin: 6, [title, age, inputs])
        let parts = [top, header.root, stack, progress, footer.root, notice.root]
        root = kept(box(GTK_ORIENTATION_VERTICAL, 0, parts))

        let set: @MainActor (RowMark, Model.Row, Bool) -> Void = { [model] mark, row, isOn in
            Task { if let route = await model.set(mark, of: row.id, to: isOn) { open(route) } }
        }
        let factoryObject = UnsafeMutableRawPointer(factory)
        connect(factoryObject, "setup") { [weak self] in self?.add(Cell(container, set: set), to: $0) }
        connect(factoryObject, "bind") { [weak self] in self?.bind($0) }
        connect(factoryObject, "unbind") { [weak self] item in if let item { self?.cells[item]?.unbind() } }
        connect(factoryObject, "teardown") { [weak self] item in if let item { self?.cells[item] = nil } }
        connect(UnsafeMutableRawPointer(view), "activate") { [weak self] argument in
            let position = UInt32(truncatingIfNeeded: UInt(bitPattern: argument))
            if let row = self?.rows.row(at: Int(position)), let route = model.select(row.id) { open(route) }
        }
        let adjustment: UnsafeMutablePointer<GtkAdjustment> = gtk_scrolled_window_get_vadjustment(scrolled.opaque)
        for signal in ["value-changed", "changed"] {
            connect(UnsafeMutableRawPointer(adjustment), signal) { [weak self] _ in self?.reportVisibleRows() }
        }
        reader = Task { [weak self, states = model.states] in
            for await state in states { self?.apply(state) }
        }
    }

    isolated deinit {
        reader?.cancel()
        release(root)
    }

    func refresh() { work.start { [model] in await model.refresh() } }

    private func add(_ cell: Cell<Model.Row>, to item: UnsafeMutableRawPointer?) {
        guard let item else { return }
        gtk_list_item_set_child(OpaquePointer(item), cell.root)
        cells[item] = cell
    }

    private func bind(_ item: UnsafeMutableRawPointer?) {
        guard let item, let cell = cells[item], let row = rows.row(at: position(of: item)) else { return }
        cell.show(row, content(row))
        cell.showHeader(sectionTitle?(position(of: item)))
        // GTK also binds a cell again when it gets the focus.
        cell.move(to: place(of: item, visible: visibleRows))
    }

    private func place(of item: UnsafeMutableRawPointer, visible: Range<Int>) -> Cell<Model.Row>.Place {
        let position = position(of: item)
        if visible.contains(position) { return .visible }
        return !visible.isEmpty && (visible.lowerBound - 15..<visible.upperBound + 15).contains(position)
            ? .near : .away
    }

    private func position(of item: UnsafeMutableRawPointer) -> Int {
        Int(gtk_list_item_get_position(OpaquePointer(item)))
    }

    private func apply(_ state: Model.State) {
        let layout = state.content.layout
        setText(title, state.title)
        setText(age, state.content.age)
        setName(view, state.title)
        header.show(layout.header)
        notice.show(state.notice)
        var message: Message?
        if case .message(let text)? = layout.placeholder { message = text }
        placeholder.show(message, loading: texts(.loading))
        gtk_stack_set_visible_child_name(stack.opaque, layout.placeholder == nil ? "rows" : "placeholder")
        // The footer is outside of the list, so it isn't `.more`: see AddYourOwnScreen.
        message = nil
        if case .message(let text)? = layout.footer { message = text }
        footer.show(message)
        let isRefreshing = state.content.status == .refreshing
        setVisible(progress, layout.footer == .spinner || isRefreshing)

        let updated = rows.apply(state.content.rows)
        didApply(state)
        for row in updated {
            for cell in cells.values where cell.row?.id == row.id { cell.show(row, content(row)) }
        }
        if let sectionTitle {
            for (item, cell) in cells where cell.row != nil { cell.showHeader(sectionTitle(position(of: item))) }
        }
        // Images that had failed are loaded again, although their rows are equal.
        if wasRefreshing, !isRefreshing { for cell in cells.values { cell.loadImage() } }
        wasRefreshing = isRefreshing
    }

    /// The rows on the screen. GTK binds more of them, so the scroll bar counts.
    var visibleRows: Range<Int> {
        let adjustment = gtk_scrolled_window_get_vadjustment(scrolled.opaque)
        let height = gtk_adjustment_get_upper(adjustment)
        let count = rows.items.count
        guard height > 0, count > 0 else { return 0..<0 }
        let (top, page) = (gtk_adjustment_get_value(adjustment), gtk_adjustment_get_page_size(adjustment))
        let first = max(0, min(count - 1, Int(top / height * Double(count))))
        return first..<max(first, min(count, Int((top + page) / height * Double(count)) + 1))
    }

    /// Loads the images of the visible rows first, and reports the last one, so that the next page
    /// loads. Called after each scroll, and after each change of the height.
    private func reportVisibleRows() {
        let visible = visibleRows
        guard let last = visible.last, let row = rows.row(at: last) else { return }
        for (item, cell) in cells where cell.row != nil { cell.move(to: place(of: item, visible: visible)) }
        work.start { [model] in await model.rowAppeared(row.id) }
    }

    /// Scrolls to a part of the height, 0 to 1.
    func scroll(to fraction: Double) {
        let adjustment = gtk_scrolled_window_get_vadjustment(scrolled.opaque)
        gtk_adjustment_set_value(adjustment, fraction * gtk_adjustment_get_upper(adjustment))
    }

    /// The message in place of the rows, or below them.
    var message: Message? { placeholder.message ?? footer.message ?? header.message }

    /// The images of the rows on the screen.
    var visibleImages: [RemoteImageViewModel.State] {
        cells.filter { $1.row != nil && visibleRows.contains(position(of: $0)) }.compactMap { $1.imageState }
    }

    /// The widgets of the bound rows, by their position.
    var bound: [Int: Widget] {
        let pairs = cells.filter { $1.row != nil }.map { (position(of: $0), $1.root) }
        return Dictionary(pairs) { first, _ in first }
    }
}
