import BrowseKit
import CDesktop

/// The screen of any list: rows, messages, selection, and next pages.
final class ListScreen<Model: ListViewModel>: Screen {
    let root: Widget
    let model: Model
    let rows = RowModel<Model.Row>()
    let view: Widget
    var list: Widget? { view }
    /// The entries above the rows.
    let inputs = box(GTK_ORIENTATION_HORIZONTAL, 6, [])
    var entry: Widget?
    /// The loads that end with the screen.
    let work = Work()
    /// Called with each state that is shown.
    var didApply: (Model.State) -> Void = { _ in }
    /// Returns the title of the section that begins at a position.
    var sectionTitle: ((Int) -> String?)?

    private let texts: Texts
    private let title = label("", "title-3")
    /// The age of cached rows.
    private let age = label("", "dim-label", "caption", wraps: true)
    private let content: (Model.Row) -> CellContent
    /// The cells by their GtkListItem.
    private(set) var cells: [gpointer: Cell<Model.Row>] = [:]
    let header: MessageView
    let placeholder: Placeholder
    let footer: MessageView
    private let notice: MessageView
    private let progress: Widget
    let scrolled: Widget = gtk_scrolled_window_new()
    private var wasRefreshing = false

    /// - Parameters:
    ///   - open: Opens the route of a row or message.
    ///   - content: Describes a row.
    init(
        _ model: Model,
        container: Container,
        open: @escaping Open,
        content: @escaping (Model.Row) -> CellContent
    ) {
        (self.model, self.content) = (model, content)
        texts = container.texts()
        let work = work
        let perform: (Message.Action) -> Void = { [model] action in
            work.start { if let route = await model.perform(action) { open(route) } }
        }
        header = MessageView(texts, perform: perform)
        footer = MessageView(texts, perform: perform)
        notice = MessageView(texts, dismiss: { [model] in model.dismissNotice() }, perform: perform)

        let factory: OpaquePointer = gtk_signal_list_item_factory_new()
        g_object_ref(gpointer(rows.object))  // The selection takes a reference.
        let selection: OpaquePointer = gtk_single_selection_new(rows.object)
        gtk_single_selection_set_autoselect(selection, 0)
        gtk_single_selection_set_can_unselect(selection, 1)
        view = gtk_list_view_new(selection, factory)
        gtk_scrolled_window_set_child(scrolled.opaque, view)
        placeholder = Placeholder(for: scrolled, texts, perform: perform)
        progress = progressView(GTK_ORIENTATION_HORIZONTAL, side: 16, texts)
        setVisible(progress, false)
        let top = box(GTK_ORIENTATION_VERTICAL, 6, margin: 6, [title, age, inputs])
        let parts = [top, header.root, placeholder.root, progress, footer.root, notice.root]
        root = kept(box(GTK_ORIENTATION_VERTICAL, 0, parts))

        let set: (RowMark, Model.Row, Bool) -> Void = { [model] mark, row, isOn in
            Changes.start { if let route = await model.set(mark, of: row.id, to: isOn) { open(route) } }
        }
        let factoryObject = gpointer(factory)
        connect(factoryObject, "setup") { [weak self] item in
            guard let self, let item else { return }
            let cell = Cell(container, set: set)
            cells[item] = cell
            gtk_list_item_set_child(OpaquePointer(item), cell.root)
        }
        connect(factoryObject, "bind") { [weak self] item in if let item { self?.bind(item) } }
        connect(factoryObject, "unbind") { [weak self] item in if let item { self?.cells[item]?.unbind() } }
        connect(factoryObject, "teardown") { [weak self] item in if let item { self?.cells[item] = nil } }
        connect(gpointer(view), "activate") { [weak self] argument in
            let position = UInt32(truncatingIfNeeded: UInt(bitPattern: argument))
            if let row = self?.rows.row(at: Int(position)), let route = model.select(row.id) { open(route) }
        }
        let adjustment: UnsafeMutablePointer<GtkAdjustment> = gtk_scrolled_window_get_vadjustment(scrolled.opaque)
        for signal in ["value-changed", "changed"] {
            connect(gpointer(adjustment), signal) { [weak self] _ in self?.reportVisibleRows() }
        }
        work.follow(model.states) { [weak self] in self?.apply($0) }
    }

    isolated deinit { release(root) }

    var asksToSignIn: Bool {
        [model.state.content.status.message, model.state.notice].contains { $0?.action == .signIn }
    }

    func refresh() { work.start { [model] in await model.refresh() } }

    func appear() { work.start { [model] in await model.retry() } }

    private func bind(_ item: gpointer) {
        let position = position(of: item)
        guard let cell = cells[item], let row = rows.row(at: position) else { return }
        cell.show(row, content(row))
        cell.showHeader(sectionTitle?(position))
        // GTK also binds a cell again when it gets the focus.
        cell.place = place(of: position, visible: visibleRows)
    }

    private func place(of position: Int, visible: Range<Int>) -> Cell<Model.Row>.Place {
        if visible.contains(position) { return .visible }
        let near = visible.lowerBound - 15..<visible.upperBound + 15
        return !visible.isEmpty && near.contains(position) ? .near : .away
    }

    func position(of item: gpointer) -> Int { Int(gtk_list_item_get_position(OpaquePointer(item))) }

    private func apply(_ state: Model.State) {
        let layout = state.content.layout
        setText(title, state.title)
        setText(age, state.content.age)
        setName(view, state.title)
        header.show(layout.header)
        notice.show(state.notice)
        if layout.placeholder != nil { show(layout.placeholder) }
        // The footer is outside of the list, so it isn't `.more`: see AddYourOwnScreen.
        footer.show(layout.footer?.message)
        let isRefreshing = state.content.status == .refreshing
        setVisible(progress, layout.footer == .spinner || isRefreshing)

        let updated = rows.apply(state.content.rows)
        // After the rows, which get the focus that the placeholder had.
        if layout.placeholder == nil { show(nil) }
        didApply(state)
        // Another list begins at its top; GTK would keep its place.
        if updated == nil { gtk_widget_activate_action_variant(view, "list.scroll-to-item", g_variant_new_uint32(0)) }
        for row in updated ?? [] {
            for cell in cells.values where cell.row?.id == row.id { cell.show(row, content(row)) }
        }
        if let sectionTitle {
            for (item, cell) in cells where cell.row != nil { cell.showHeader(sectionTitle(position(of: item))) }
        }
        // Images that had failed are loaded again, although their rows are equal.
        if wasRefreshing, !isRefreshing { for cell in cells.values { cell.loadImage() } }
        wasRefreshing = isRefreshing
    }

    private func show(_ item: ListState<Model.Row>.Layout.Item?) {
        placeholder.show(item?.message, isLoading: item == .spinner)
    }

    /// The rows on the screen. GTK binds more of them, so the scroll bar counts.
    var visibleRows: Range<Int> {
        let adjustment = gtk_scrolled_window_get_vadjustment(scrolled.opaque)
        let height = gtk_adjustment_get_upper(adjustment) / Double(rows.items.count)
        guard height > 0, height.isFinite else { return 0..<0 }
        let top = gtk_adjustment_get_value(adjustment)
        let bottom = top + gtk_adjustment_get_page_size(adjustment)
        return (Int(top / height)..<Int(bottom / height) + 1).clamped(to: rows.items.indices)
    }

    /// Loads the images of the visible rows first, and reports the last one, so that the next page
    /// loads. Called after each scroll, and after each change of the height.
    private func reportVisibleRows() {
        let visible = visibleRows
        guard let last = visible.last, let row = rows.row(at: last) else { return }
        for (item, cell) in cells where cell.row != nil { cell.place = place(of: position(of: item), visible: visible) }
        work.start { [model] in await model.rowAppeared(row.id) }
    }
}

extension ListState.Layout.Item {
    fileprivate var message: Message? { if case .message(let message) = self { message } else { nil } }
}
