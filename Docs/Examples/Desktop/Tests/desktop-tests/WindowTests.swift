import BrowseKit
import BrowseMocks
import CDesktop
import Foundation

@testable import Desktop

/// A window on bundled data, and the checks that follow each step.
@MainActor
final class WindowTests {
    static func run() async {
        let english = WindowTests("en_US")
        await english.focus()
        for (name, step) in english.steps {
            print("· \(name)")
            await step()
            await english.checkRows(name)
            english.services.setScenario(.normal)
        }
        await english.close(with: "ctrl+q")
        let korean = WindowTests("ko_KR")
        await korean.focus()
        print("· Korean")
        await korean.checkKorean()
        await korean.close(with: "ctrl+w")
    }

    private final class Closing { var isClosed = false }

    private let services = OfflineServices()
    private let desktop: DesktopWindow
    private let texts: Texts
    private let closing = Closing()

    private init(_ language: String) {
        let configuration = Configuration().with { $0.locale = Locale(identifier: language) }
        let container = Container.offline(services, configuration: configuration)
        texts = container.texts()
        desktop = DesktopWindow(container: container, list: .followers(of: GitHub.Login("octocat"))) { [closing] in
            closing.isClosed = true
        }
    }

    /// wwmm/easyeffects#494, blueman-project/blueman#1406
    private func close(with keys: String) async {
        let (ends, end) = AsyncStream<Void>.makeStream()
        Changes.start { for await _ in ends {} }
        let count = windows.count
        await xdotool("key", keys)
        await Checks.eventually("\(keys) closes the window") { windows.count < count }
        if windows.count == count { gtk_window_destroy(desktop.window.as()) }
        Checks.expect(!closing.isClosed, "a change that isn't stored yet goes on")
        desktop.open(.signIn)
        Checks.expect(desktop.signIn == nil, "it opens nothing, such as a star that needs a sign-in")
        end.finish()
        await Checks.eventually("then the program can end") { closing.isClosed }
    }

    private var screen: ListScreen<FollowerListViewModel> { desktop.followers }
    private var model: FollowerListViewModel { screen.model }
    private var filter: Widget { screen.entry ?? screen.root }
    private var rows: Rows<UserRow> { model.state.content.rows }

    private var steps: [(String, () async -> Void)] {
        [
            ("names and roles", namesAndRoles), ("typing quickly", typeQuickly), ("three pages", scrollPages),
            ("the selection", selection), ("a filter while a page loads", filterWhileLoading),
            ("hearts on two screens", hearts), ("headers of sections", headers),
            ("a refresh while loading", refreshWhileLoading), ("images after a failure", imagesAfterFailure),
            ("the keyboard", keyboard), ("the keyboard in the details", keyboardInDetails),
            ("composing", composing), ("closing while loading", closeWhileLoading), ("a search", search),
            ("another order", anotherOrder), ("a README", readme),
            ("signing in", signIn), ("messages", messages), ("a hasty person", haste),
        ]
    }

    // MARK: Checks

    /// GTK shows the rows of the state, and the entry has its text.
    private func checkRows(_ step: String) async {
        await Checks.eventually("\(step): GTK shows the followers") { showsFollowers }
        await Checks.eventually("\(step): GTK shows the favorites") { showsFavorites }
        Checks.expect(text(of: filter) == model.filter, "\(step): “\(text(of: filter))”, not “\(model.filter)”")
    }

    private var showsFollowers: Bool {
        shows(screen) { _, row in [row.login.rawValue, row.isFavorite == true ? "♥" : "♡"] }
    }

    private var showsFavorites: Bool {
        let favorites = desktop.favorites
        return shows(favorites) { position, row in
            let section = favorites.model.state.sections.first { $0.positions.lowerBound == position }
            return [section?.title, row.favorite.title, "♥"].compactMap(\.self)
        }
    }

    /// Whether GTK has the rows of the state, and its cells have their texts.
    private func shows<Model>(_ screen: ListScreen<Model>, texts: (Int, Model.Row) -> [String]) -> Bool {
        let rows = screen.model.state.content.rows
        let cells = screen.bound
        guard g_list_model_get_n_items(screen.rows.object) == rows.count, cells.isEmpty == rows.isEmpty,
            cells.count == count(of: screen.view)
        else { return false }
        for (position, cell) in cells {
            guard rows.indices.contains(position),
                gtk_widget_get_parent(gtk_widget_get_parent(cell)) == screen.view
            else { return false }
            var labels: [String] = []
            addLabels(of: cell, to: &labels)
            guard labels == texts(position, rows[position]) else { return false }
        }
        return true
    }

    private func count(of widget: Widget) -> Int {
        var (count, child) = (0, gtk_widget_get_first_child(widget))
        while let next = child {
            count += 1
            child = gtk_widget_get_next_sibling(next)
        }
        return count
    }

    private func children(of widget: Widget) -> [Widget] {
        guard let first = gtk_widget_get_first_child(widget) else { return [] }
        return Array(sequence(first: first) { gtk_widget_get_next_sibling($0) })
    }

    /// The visible texts in a widget, without the initials of avatars.
    private func labels(in widget: Widget) -> [String] {
        var labels: [String] = []
        addLabels(of: widget, to: &labels)
        return labels
    }

    /// The loops don't allocate, because hundreds of cells are read after each step.
    private func addLabels(of widget: Widget, to labels: inout [String]) {
        guard gtk_widget_get_visible(widget) != 0 else { return }
        let name = gtk_widget_get_css_name(widget)
        if g_strcmp0(name, "avatar") == 0 { return }
        if g_strcmp0(name, "label") == 0 { return labels.append(String(cString: gtk_label_get_text(widget.opaque))) }
        var child = gtk_widget_get_first_child(widget)
        while let next = child {
            addLabels(of: next, to: &labels)
            child = gtk_widget_get_next_sibling(next)
        }
    }

    /// Without a window manager, nothing else gives a window the focus.
    private func focus() async {
        await Checks.eventually("the window is on the screen") { gtk_widget_get_mapped(desktop.window) != 0 }
        await xdotool("search", "--sync", "--onlyvisible", "--name", "BrowseKit", "windowfocus", "--sync")
    }

    private func button(_ name: String, in widget: Widget) -> Widget? {
        self.widget(in: widget) { has($0, GTK_ACCESSIBLE_ROLE_BUTTON, name) }
    }

    private func item(_ name: String, in widget: Widget) -> Widget? {
        self.widget(in: widget) { has($0, GTK_ACCESSIBLE_ROLE_LIST_ITEM, name) }
    }

    /// The buttons on the screen without a name for people who can't see them. The button inside a
    /// menu has the menu's.
    private func namelessButtons(in widget: Widget) -> [String] {
        guard gtk_widget_get_mapped(widget) != 0, g_strcmp0(gtk_widget_get_css_name(widget), "dropdown") != 0
        else { return [] }
        let isNameless =
            gtk_test_accessible_has_role(widget.opaque, GTK_ACCESSIBLE_ROLE_BUTTON) != 0
            && gtk_test_accessible_has_property(widget.opaque, GTK_ACCESSIBLE_PROPERTY_LABEL) == 0
        let name = gtk_widget_get_css_name(widget).map { String(cString: $0) } ?? ""
        return (isNameless ? [name] : []) + children(of: widget).flatMap { namelessButtons(in: $0) }
    }

    /// A row of the sidebar, whose name is its label.
    private func menuItem(_ name: String) -> Widget? {
        widget(in: desktop.window) {
            gtk_test_accessible_has_role($0.opaque, GTK_ACCESSIBLE_ROLE_LIST_ITEM) != 0 && labels(in: $0) == [name]
        }
    }

    private func widget(in widget: Widget, where isMatch: (Widget) -> Bool) -> Widget? {
        if isMatch(widget) { return widget }
        for child in children(of: widget) {
            if let found = self.widget(in: child, where: isMatch) { return found }
        }
        return nil
    }

    private func content(of buffer: UnsafeMutablePointer<GtkTextBuffer>?) -> String? {
        var (start, end) = (GtkTextIter(), GtkTextIter())
        gtk_text_buffer_get_bounds(buffer, &start, &end)
        guard let text = gtk_text_buffer_get_text(buffer, &start, &end, 0) else { return nil }
        defer { g_free(text) }
        return String(cString: text)
    }

    private func has(_ widget: Widget, _ role: GtkAccessibleRole, _ name: String) -> Bool {
        gtk_test_accessible_has_role(widget.opaque, role) != 0
            && desktop_has(UnsafeMutableRawPointer(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name) != 0
    }

    /// Presses a button, which has to exist.
    private func press(_ name: String, in widget: Widget?, line: Int = #line) {
        guard let button = widget.flatMap({ self.button(name, in: $0) }) else {
            return Checks.expect(false, "no button \(name)", line: line)
        }
        gtk_widget_grab_focus(button)
        // To activate a button clicks it some time later.
        var value = GValue()
        g_value_init(&value, gtk_button_get_type())
        defer { g_value_unset(&value) }
        g_value_set_object(&value, UnsafeMutableRawPointer(button))
        g_signal_emitv(&value, g_signal_lookup("clicked", gtk_button_get_type()), 0, nil)
    }

    /// Clicks at the corner of a widget.
    private func click(_ widget: Widget) async {
        var (x, y, left, top) = (0.0, 0.0, 0.0, 0.0)
        gtk_widget_translate_coordinates(widget, desktop.window, 4, 4, &x, &y)
        gtk_native_get_surface_transform(gtk_widget_get_native(widget), &left, &top)
        await xdotool(
            "search",
            "--onlyvisible",
            "--name",
            "BrowseKit",
            "mousemove",
            "--window",
            "%1",
            "\(Int(x + left))",
            "\(Int(y + top))",
            "click",
            "1"
        )
    }

    /// The opacity at the corner of a part of a widget, 0 to 255, as GTK draws the widget.
    private func opacity(of part: Widget, in widget: Widget) -> UInt8? {
        let (width, height) = (gtk_widget_get_width(widget), gtk_widget_get_height(widget))
        let paintable: OpaquePointer = gtk_widget_paintable_new(widget)
        defer { g_object_unref(UnsafeMutableRawPointer(paintable)) }
        let snapshot: OpaquePointer = gtk_snapshot_new()
        gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
        guard let node = gtk_snapshot_free_to_node(snapshot) else { return nil }
        defer { gsk_render_node_unref(node) }
        let size = graphene_size_t(width: Float(width), height: Float(height))
        var area = graphene_rect_t(origin: graphene_point_t(x: 0, y: 0), size: size)
        let renderer = gtk_native_get_renderer(gtk_widget_get_native(widget))
        guard let texture = gsk_renderer_render_texture(renderer, node, &area) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(texture)) }
        var pixels = [UInt8](repeating: 0, count: Int(width * height) * 4)
        gdk_texture_download(texture, &pixels, gsize(width) * 4)
        var (x, y) = (0.0, 0.0)
        gtk_widget_translate_coordinates(part, widget, 2, 2, &x, &y)
        // A pixel is blue, green, red, and opacity.
        return pixels[(Int(y) * Int(width) + Int(x)) * 4 + 3]
    }

    private func selectedPosition<Model>(in screen: ListScreen<Model>) -> Int? {
        let position = gtk_single_selection_get_selected(gtk_list_view_get_model(screen.view.opaque))
        return position == .max ? nil : Int(position)
    }

    private func select<Model>(_ position: Int?, in screen: ListScreen<Model>) {
        let position = position.map { UInt32($0) } ?? .max
        gtk_single_selection_set_selected(gtk_list_view_get_model(screen.view.opaque), position)
    }

    /// The text in the clipboard.
    private var copied: String? {
        guard let content = gdk_clipboard_get_content(gtk_widget_get_clipboard(desktop.window)) else { return nil }
        var value = GValue()
        g_value_init(&value, GType(16 << 2))  // The fundamental type G_TYPE_STRING, a macro.
        defer { g_value_unset(&value) }
        guard gdk_content_provider_get_value(content, &value, nil) != 0 else { return nil }
        return g_value_get_string(&value).map { String(cString: $0) }
    }

    // MARK: Steps

    /// The delay of responses, long enough to see the state in between on a busy machine, too.
    private static let delay = Duration.seconds(2)

    private func namesAndRoles() async {
        await Checks.eventually("100 followers") { rows.count == 100 && showsFollowers }
        let cell = kept(label())
        setName(cell, "tea", of: "Says hello.")
        setName(cell, "coffee")
        let isDescribed = gtk_test_accessible_has_property(cell.opaque, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION) != 0
        Checks.expect(!isDescribed, "a cell that is reused has no other row's description")
        release(cell)
        let long = kept(label(String(repeating: "w", count: 300), wraps: true))
        var width: Int32 = 0
        gtk_widget_measure(long, GTK_ORIENTATION_HORIZONTAL, -1, &width, nil, nil, nil)
        Checks.expect(width < 100, "a long word makes no wide window")
        release(long)
        Checks.expect(has(screen.view, GTK_ACCESSIBLE_ROLE_LIST, "Followers of octocat"), "the list has a name")
        Checks.expect(has(filter, GTK_ACCESSIBLE_ROLE_SEARCH_BOX, "Filter"), "the filter has a name")
        Checks.expect(
            screen.placeholder.input.map { has($0, GTK_ACCESSIBLE_ROLE_TEXT_BOX, "GitHub Username") } == true,
            "the entry has a name"
        )
        for name in ["Refresh", "Back"] { Checks.expect(button(name, in: desktop.window) != nil, "button \(name)") }
        for name in ["Followers", "Repositories", "Favorites", "Account"] {
            Checks.expect(menuItem(name) != nil, "the menu has \(name)")
        }
        Checks.expect(screen.bound[0].flatMap { button("Add to Favorites", in: $0) } != nil, "the heart has a name")
        for position in [0, 1, 9] {
            let login = rows[position].login.rawValue
            let cell = screen.bound[position].flatMap { gtk_widget_get_parent($0) }
            Checks.expect(cell.map { has($0, GTK_ACCESSIBLE_ROLE_LIST_ITEM, login) } == true, "row \(login)")
        }
        guard let input = screen.placeholder.input else { return }
        gtk_widget_grab_focus(input)
        await xdotool("type", "--delay", "1", "a.b")
        let refusesName = { [self] in labels(in: screen.root).contains { $0.hasPrefix("A username can’t contain") } }
        await Checks.eventually("the reason why a name is refused") { text(of: input) == "a.b" && refusesName() }
        setEntry(input, "")
        await Checks.eventually("no reason") { !refusesName() }
        await xdotool("key", "Return")
        await Checks.eventually("an empty name is refused") {
            labels(in: screen.root).contains { $0.hasPrefix("Enter a username") }
        }
    }

    private func typeQuickly() async {
        gtk_widget_grab_focus(filter)
        await xdotool("type", "--delay", "1", "vellamor")
        await Checks.eventually("all keys arrive") { text(of: filter).count == 8 }
        Checks.expect(text(of: filter) == "vellamor", "the text is “\(text(of: filter))”")
        Checks.expect(model.filter == "vellamor", "the filter is “\(model.filter)”")
        await xdotool("type", "c")
        await Checks.eventually("rows that match") {
            model.filter == "vellamorc" && showsFollowers
                && rows.allSatisfy { $0.login.rawValue.lowercased().contains("vellamorc") }
        }
        await xdotool("key", "Escape")
        // A filter that leaves few rows has loaded further pages.
        await Checks.eventually("Escape clears the filter") {
            model.filter.isEmpty && rows.count == model.state.content.loadedCount && showsFollowers
        }
    }

    private func scrollPages() async {
        await model.show(.followers(of: GitHub.Login("octocat")))
        await Checks.eventually("100 rows") { rows.count == 100 && showsFollowers }
        for count in [200, 257] {
            // GTK may lay the rows out after this.
            await Checks.eventually("\(count) rows") {
                screen.scroll(to: 1)
                return rows.count >= count && showsFollowers
            }
        }
        Checks.expect(!model.state.content.hasMore, "the end")
    }

    /// GTK gets a signal for each run of rows, and keeps the selection.
    private func selection() async {
        final class Counter { var count = 0 }
        let signals = Counter()
        connect(UnsafeMutableRawPointer(screen.rows.object), "items-changed") { _ in signals.count += 1 }
        let row = rows[150]
        select(150, in: screen)
        for filter in ["e", row.login.rawValue, ""] {
            signals.count = 0
            model.filter = filter
            await Checks.eventually("the selection survives the filter “\(filter)”") {
                showsFollowers && selectedPosition(in: screen).map { rows[$0].id } == row.id
            }
            Checks.expect((1...100).contains(signals.count), "\(signals.count) signals for a filter")
        }
        select(nil, in: screen)
    }

    private func filterWhileLoading() async {
        services.setScenario(.slow(Self.delay))
        await model.refresh()
        await Checks.eventually("the first page") { rows.count == 100 && showsFollowers }
        screen.scroll(to: 1)
        await Checks.eventually("a page loads") { model.state.content.status == .loadingMore }
        gtk_widget_grab_focus(filter)
        await xdotool("type", "--delay", "5", "an")
        await Checks.eventually("the page is filtered") {
            model.state.content.loadedCount > 100 && showsFollowers
                && rows.allSatisfy { $0.login.rawValue.lowercased().contains("an") }
        }
        await checkRows("before the filter is cleared")
        await xdotool("key", "Escape")
        await Checks.eventually("all rows") { rows.count == model.state.content.loadedCount && showsFollowers }
    }

    private func hearts() async {
        screen.scroll(to: 0)
        let row = rows[0]
        await Checks.eventually("the first cell") { screen.bound[0] != nil }
        press("Add to Favorites", in: screen.bound[0])
        let favorites = desktop.favorites
        await Checks.eventually("a favorite") { favorites.model.state.content.rows.count == 1 && showsFavorites }
        Checks.expect(model.row(row.id)?.isFavorite == true, "the heart is full")
        desktop.show("favorites")
        await Checks.eventually("its section") {
            favorites.bound[0].map(labels)?.first == row.login.rawValue.prefix(1).uppercased()
        }
        press("Remove from Favorites", in: favorites.bound[0])
        await Checks.eventually("no favorite") {
            favorites.model.state.content.rows.isEmpty && model.row(row.id)?.isFavorite == false
        }
        await Checks.eventually("the heart is empty") {
            screen.bound[0].flatMap { button("Add to Favorites", in: $0) } != nil
        }
        desktop.show("followers")
    }

    /// The header of a section isn't part of the row below it, for the selection and for clicks.
    private func headers() async {
        for row in rows.prefix(3) { await model.toggleFavorite(row.id) }
        let favorites = desktop.favorites
        desktop.show("favorites")
        await Checks.eventually("the favorites") { favorites.bound.count == 3 && showsFavorites }
        guard let cell = favorites.bound[0], let header = children(of: cell).first, let line = children(of: cell).last
        else { return Checks.expect(false, "a header") }
        select(0, in: favorites)
        await Checks.eventually("the selection is drawn") { opacity(of: line, in: favorites.view) ?? 0 > 0 }
        Checks.expect(opacity(of: header, in: favorites.view) == 0, "the selection isn't drawn on the header")
        select(nil, in: favorites)
        final class History { var positions: [Int?] = [] }
        let history = History()
        guard let selection = UnsafeMutableRawPointer(gtk_list_view_get_model(favorites.view.opaque)) else {
            return Checks.expect(false, "a selection")
        }
        connect(selection, "notify::selected") { [self] _ in
            history.positions.append(selectedPosition(in: favorites))
        }
        for position in [1, 2] {
            await click(header)
            if let line = favorites.bound[position].flatMap({ children(of: $0).last }) { await click(line) }
            await Checks.eventually("a click on a row selects it") { selectedPosition(in: favorites) == position }
        }
        Checks.expect(history.positions == [1, 2], "a click on a header selects nothing")
        for row in rows.prefix(3) { await model.toggleFavorite(row.id) }
        desktop.show("followers")
    }

    private func refreshWhileLoading() async {
        services.setScenario(.slow(Self.delay))
        for _ in 0..<3 { desktop.followers.refresh() }
        await Checks.eventually("refreshing") { model.state.content.status == .refreshing }
        screen.scroll(to: 1)
        desktop.followers.refresh()
        await Checks.eventually("refreshed") { model.state.content.status == .ready && showsFollowers }
    }

    private func imagesAfterFailure() async {
        services.images.scenario = .offline
        await model.show(.followers(of: GitHub.Login("mockworks")))
        // Some are images of the list before.
        await Checks.eventually("images fail") {
            let images = screen.visibleImages
            return images.count { if case .failed = $0 { true } else { false } } > 5 && !images.contains(.loading)
                && screen.visibleRows.lowerBound == 0
        }
        gtk_adjustment_set_value(gtk_scrolled_window_get_vadjustment(screen.scrolled.opaque), 4)
        // One more row can become visible.
        let loading = screen.visibleImages.count { $0 == .loading }
        Checks.expect(loading <= 1, "scrolling loads \(loading) failed images again")
        services.images.scenario = .normal
        desktop.followers.refresh()
        await Checks.eventually("a refresh loads them") { showsImages }
        await model.show(.followers(of: GitHub.Login("octocat")))
        await Checks.eventually("rows") { showsFollowers }
    }

    private var showsImages: Bool {
        screen.visibleImages.count > 5
            && screen.visibleImages.allSatisfy { if case .loaded = $0 { true } else { false } }
    }

    private func keyboard() async {
        await Checks.eventually("rows") { rows.count == 100 && showsFollowers }
        if let input = screen.placeholder.input { gtk_widget_grab_focus(input) }
        await xdotool("key", "Down")
        await Checks.eventually("Down moves to the rows from all entries") {
            gtk_window_get_focus(desktop.window.as()).map { g_strcmp0(gtk_widget_get_css_name($0), "row") } == 0
        }
        await xdotool("key", "ctrl+f")
        await Checks.eventually("Ctrl+F moves to the filter") { desktop.hasFocus(filter) }
        await xdotool("key", "Down")
        await Checks.eventually("Down moves to the rows") { desktop.hasFocus(screen.view) }
        await xdotool("key", "--repeat", "3", "--delay", "10", "Return")
        await Checks.eventually("Enter opens a profile") { desktop.details.count == 1 }
        let profile = desktop.details.last as? ProfileScreen
        await Checks.eventually("its details") { profile?.model.state.content.details != nil }
        guard let profile, let facts = profile.model.state.content.details?.facts else { return }
        await Checks.eventually("its facts have names") {
            facts.count > 5 && facts.allSatisfy { item("\($0.label): \($0.value)", in: profile.root) != nil }
        }
        for name in ["Followers", "Repositories", "Refresh", "Add to Favorites"] {
            Checks.expect(button(name, in: profile.root) != nil, "button \(name) of the profile")
        }
        await Checks.eventually("the row keeps its image") { showsImages }
        let unnamed = namelessButtons(in: desktop.window)
        Checks.expect(unnamed.isEmpty, "all buttons have names, but \(unnamed)")
        Checks.expect(desktop.details.count == 1, "a key that is held down opens one profile")
        await xdotool("key", "Escape")
        await Checks.eventually("Escape closes it") { desktop.details.isEmpty }
    }

    private func keyboardInDetails() async {
        desktop.open(.gitHub(.userProfile(GitHub.Login("octocat"))))
        let profile = desktop.details.last
        await Checks.eventually("a profile") { profile.flatMap { button("Followers", in: $0.root) } != nil }
        await Checks.eventually("its details") { (profile as? ProfileScreen)?.model.state.content.details != nil }
        press("Followers", in: profile?.root)
        guard let beside = desktop.details.last as? ListScreen<FollowerListViewModel>, let filter = beside.entry
        else { return Checks.expect(false, "a list beside") }
        await Checks.eventually("its rows") { beside.model.state.content.rows.count == 100 }
        await xdotool("key", "ctrl+f")
        await Checks.eventually("Ctrl+F moves to the filter beside") { desktop.hasFocus(filter) }
        await xdotool("type", "--delay", "5", "an")
        await Checks.eventually("a filter beside") { beside.model.filter == "an" && model.filter.isEmpty }
        await xdotool("key", "Down")
        await Checks.eventually("Down moves to the rows beside") { desktop.hasFocus(beside.view) }
        await xdotool("key", "ctrl+f", "Escape")
        await Checks.eventually("Escape clears the filter beside") { beside.model.filter.isEmpty }
        Checks.expect(desktop.details.count == 2, "Escape in an entry closes nothing")
        services.setScenario(.slow(Self.delay))
        await xdotool("key", "F5")
        await Checks.eventually("F5 refreshes the list beside") { beside.model.state.content.status == .refreshing }
        Checks.expect(model.state.content.status != .refreshing, "F5 refreshes one list")
        services.setScenario(.normal)
        await xdotool("key", "Escape")
        await Checks.eventually("Escape closes the list beside") { desktop.details.count == 1 }
        desktop.open(.gitHub(.followList(.followers(of: GitHub.Login("octocat")))))
        guard let list = desktop.details.last?.list else { return Checks.expect(false, "another list") }
        await Checks.eventually("another list has the focus") {
            gtk_widget_grab_focus(list)
            return desktop.hasFocus(list)
        }
        await xdotool("key", "--delay", "1", "Escape", "Escape")
        await Checks.eventually("Escape twice closes the list and the profile") { desktop.details.isEmpty }
        await Checks.eventually("the rows get the focus again") { desktop.hasFocus(screen.view) }
    }

    private func closeWhileLoading() async {
        services.setScenario(.slow(.seconds(20)))
        desktop.open(.gitHub(.userProfile(GitHub.Login("haneul-kim"))))
        weak let profile = (desktop.details.last as? ProfileScreen)?.model
        await Checks.eventually("the profile loads") { profile?.state.content.status == .loading }
        desktop.closeDetails()
        await Checks.eventually("a closed screen is released") { profile == nil }
        desktop.open(.gitHub(.followList(.followers(of: GitHub.Login("haneul-kim")))))
        weak let list = (desktop.details.last as? ListScreen<FollowerListViewModel>)?.model
        await Checks.eventually("the list loads") { list?.state.content.status == .loading }
        desktop.closeDetails()
        await Checks.eventually("a closed list is released") { list == nil }
    }

    private func search() async {
        desktop.show("repos")
        let search = desktop.repos
        await Checks.eventually("a form") { search.entry != nil }
        guard let entry = search.entry else { return }
        for field in search.model.state.fields.dropFirst() {
            let menu = widget(in: search.root) { has($0, GTK_ACCESSIBLE_ROLE_COMBO_BOX, field.title) }
            Checks.expect(menu != nil, "the menu \(field.title) has a name")
        }
        gtk_widget_grab_focus(entry)
        await xdotool("type", "--delay", "1", "lunar")
        await Checks.eventually("results") {
            search.model.query.text == "lunar" && !search.model.state.content.rows.isEmpty && showsResults
        }
        Checks.expect(text(of: entry) == "lunar", "the text is “\(text(of: entry))”")
        guard let row = search.model.state.content.rows.first else { return }
        let star = search.bound[0].flatMap { button("Star", in: $0) }
        Checks.expect(star != nil, "the star has a name")
        let count = row.star(texts).map { "\(row.fullName), Stars: \($0.count)" } ?? ""
        let isCounted = star.map {
            desktop_has(UnsafeMutableRawPointer($0), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, count) != 0
        }
        Checks.expect(isCounted == true, "the number of stars is read, too")
        if let route = search.model.select(row.id) { desktop.open(route) }
        let repo = desktop.details.last as? RepoScreen
        await Checks.eventually("its repository") { repo?.model.state.content.details != nil }
        await Checks.eventually("its star") { repo.flatMap { button("Star", in: $0.root) } != nil }
        desktop.closeDetails()
        await xdotool("key", "Escape")
        await Checks.eventually("no results") {
            search.model.state.content.rows.isEmpty && showsResults && text(of: entry).isEmpty
        }
        desktop.show("followers")
    }

    private var showsResults: Bool {
        shows(desktop.repos) { _, row in
            let star = row.star(texts).map { ($0.isOn ? "★ " : "☆ ") + $0.count }
            let summary = row.summary?.isEmpty == true ? nil : row.summary
            return [row.fullName, summary, star, row.isFavorite == true ? "♥" : "♡"].compactMap(\.self)
        }
    }

    private func readme() async {
        let readmes = RequestMatcher.any.matching("a README") { $0.url.path().hasSuffix("/readme") }
        services.gitHub.scenarios.set(.offline, for: readmes)
        desktop.open(.gitHub(.repoNamed("hello-tentacles", of: GitHub.Login("octocat"))))
        let repo = desktop.details.last as? RepoScreen
        await Checks.eventually("a README can't be loaded") {
            guard let root = repo?.root else { return false }
            return labels(in: root).contains("No Connection") && button("Try Again", in: root) != nil
        }
        services.gitHub.scenarios.set(.normal, for: readmes)
        press("Try Again", in: repo?.root)
        await Checks.eventually("a README") {
            guard let repo, case .loaded(let readme?) = repo.model.state.readme.status,
                let view = widget(in: repo.root, where: { has($0, GTK_ACCESSIBLE_ROLE_TEXT_BOX, "README") })
            else { return false }
            return content(of: gtk_text_view_get_buffer(view.as())) == readme.text
        }
        desktop.closeDetails()
        desktop.open(.gitHub(.repoNamed("linguist-fork", of: GitHub.Login("octocat"))))
        guard let fork = desktop.details.last as? RepoScreen else { return Checks.expect(false, "a repository") }
        await Checks.eventually("no README") { labels(in: fork.footer) == ["README", "No README"] }
        await fork.model.setFavorite(to: true)
        guard let id = fork.model.state.id else { return Checks.expect(false, "a number") }
        services.gitHub.script.on(.get, "/repositories/\(id)", response: .gitHubNotFound)
        fork.refresh()
        await Checks.eventually("a repository that is gone loads no README") {
            fork.model.state.content.isUnavailable && labels(in: fork.footer) == ["README"]
        }
        await fork.model.setFavorite(to: false)
        desktop.closeDetails()
    }

    private func signIn() async {
        let anonymous = #"{"message":"Requires authentication"}"#
        let unauthorized = ScriptedServer.Response.json(anonymous, status: 401, headers: .gitHub)
        services.gitHub.script.on(.get, "/users/lonely/followers", responses: [unauthorized])
        await model.show(.followers(of: GitHub.Login("lonely")))
        Checks.expect(screen.asksToSignIn, "the list asks for a sign-in")
        desktop.open(.signIn)
        guard let dialog = desktop.signIn else { return Checks.expect(false, "a dialog") }
        Checks.expect(has(dialog.window, GTK_ACCESSIBLE_ROLE_WINDOW, "Sign In"), "the dialog has a name")
        // The person confirms the code after some seconds.
        let token = #"{"access_token": "gho_offline_octocat_1", "token_type": "bearer", "scope": "public_repo"}"#
        services.gitHub.script.on(.post, "/login/oauth/access_token", response: .json(token))
        press("Sign In on Another Device", in: dialog.window)
        await Checks.eventually("a code") { labels(in: dialog.window).contains("WDJB-MJHT") }
        Checks.expect(gtk_label_get_selection_bounds(dialog.code.opaque, nil, nil) == 0, "the code isn't selected")
        let page = button("Open Page", in: dialog.window)
        Checks.expect(page == gtk_window_get_focus(dialog.window.as()), "the button gets the focus")
        Checks.expect(page.map { gtk_widget_has_css_class($0, "suggested-action") } == 1, "a suggested action")
        press("Copy Code", in: dialog.window)
        Checks.expect(copied == "WDJB-MJHT", "the clipboard has “\(copied ?? "")”")
        await Checks.eventually("the dialog closes") { desktop.signIn == nil }
        await Checks.eventually("the list loads again") { screen.message?.title == "No Followers" }
        desktop.show("account")
        let account = desktop.account
        await Checks.eventually("the account") {
            account.model.state.content.details?.profile.user.login == GitHub.Login("octocat")
        }
        press("Sign Out", in: account.root)
        let question = windows.first { has($0, GTK_ACCESSIBLE_ROLE_DIALOG, "Sign Out?") }
        Checks.expect(question != nil, "a question")
        press("Sign Out", in: question)
        await Checks.eventually("signed out") { account.model.state.content.details == nil }
        let suspended = #"{"message":"Sorry. Your account was suspended."}"#
        let refusal = ScriptedServer.Response.json(suspended, status: 403, headers: .gitHub)
        services.gitHub.script.on(.get, "/user", responses: [refusal])
        let session = desktop.container.gitHubSession()
        try? await session.signIn(with: Credentials(token: services.gitHub.token(for: GitHub.Login("octocat"))))
        await Checks.eventually("an account that isn't loaded can sign out") {
            account.model.state.content.status.message?.kind == .forbidden
                && button("Sign Out", in: account.root).map { gtk_widget_get_visible($0) } == 1
        }
        try? await session.signOut()
        await Checks.eventually("nobody can sign out") {
            button("Sign Out", in: account.root).map { gtk_widget_get_visible($0) } == 0
        }
        desktop.show("followers")
    }

    private var windows: [Widget] {
        let windows = gtk_window_get_toplevels()
        return (0..<g_list_model_get_n_items(windows)).compactMap { position in
            let window = g_list_model_get_item(windows, position)
            defer { g_object_unref(window) }
            return window?.assumingMemoryBound(to: GtkWidget.self)
        }
    }

    private func messages() async {
        services.setScenario(.offline)
        await model.show(.followers(of: GitHub.Login("haneul-kim")))
        await Checks.eventually("No Connection") { screen.message?.title == "No Connection" }
        services.setScenario(.normal)
        await Checks.eventually("a button") { button("Try Again", in: screen.root) != nil }
        press("Try Again", in: screen.root)
        await Checks.eventually("rows") { !rows.isEmpty && showsFollowers }
        await Checks.eventually("the rows get the focus of the button") { desktop.hasFocus(screen.view) }
        services.setScenario(.offline)
        await model.show(.followers(of: GitHub.Login("octocat")))
        await Checks.eventually("no rows") { screen.message?.title == "No Connection" }
        desktop.show("repos")
        services.setScenario(.normal)
        desktop.show("followers")
        await Checks.eventually("a screen that appears again loads what failed") { rows.count == 100 && showsFollowers }
        if let route = rows.first?.route { desktop.open(route) }
        guard let profile = desktop.details.last as? ProfileScreen, let id = rows.first?.id else {
            return Checks.expect(false, "a profile")
        }
        await Checks.eventually("its details") { profile.model.state.content.details != nil }
        await profile.model.setFavorite(to: true)
        services.gitHub.script.on(.get, "/user/\(id)", response: .gitHubNotFound)
        profile.refresh()
        await Checks.eventually("a favorite that is gone says so") {
            profile.model.state.content.age.map { labels(in: profile.root).contains($0) } == true
        }
        await profile.model.setFavorite(to: false)
        desktop.closeDetails()
    }

    /// Random actions, after each of which GTK has the rows of the state that it was told of.
    private func haste() async {
        var random = SeededGenerator(seed: 7)
        let scenarios: [Scenario] = [.normal, .normal, .slow(.milliseconds(30)), .serverError, .offline, .empty]
        let favorites = desktop.favorites
        for step in 0..<150 {
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1: model.filter = ["", "a", "an", "zzz"].randomElement(using: &random) ?? ""
            case 2: desktop.followers.refresh()
            case 3: screen.work.start { [model] in await model.loadMore() }
            case 4:
                let login = ["octocat", "mockworks", "lonely", "nobody-here"].randomElement(using: &random) ?? ""
                screen.work.start { [model] in await model.show(.followers(of: GitHub.Login(login))) }
            case 5, 6: screen.scroll(to: .random(in: 0...1, using: &random))
            case 7, 8: if let row = rows.randomElement(using: &random) { Task { await model.toggleFavorite(row.id) } }
            case 9: services.setScenario(scenarios.randomElement(using: &random) ?? .normal)
            case 10: favorites.model.query.filter = ["", "a", "h"].randomElement(using: &random) ?? ""
            default: screen.work.start { [model] in await model.retry() }
            }
            try? await Task.sleep(for: .milliseconds(Int.random(in: 0...20, using: &random)))
            if step % 10 == 0 {
                await Checks.eventually("step \(step)") { showsFollowers && showsFavorites }
            }
        }
        services.setScenario(.normal)
        (model.filter, favorites.model.query.filter) = ("", "")
        await model.show(.followers(of: GitHub.Login("octocat")))
        await Checks.eventually("all is well") { rows.count == 100 && showsFollowers && text(of: filter).isEmpty }
    }

    /// Results in another order begin at the top, although the rows before stay until they arrive.
    private func anotherOrder() async {
        desktop.show("repos")
        let search = desktop.repos
        let sort = search.model.state.fields.first { $0.id == "sort" }
        search.model.query.text = "a"
        await Checks.eventually("100 results") { search.model.state.content.rows.count == 100 && showsResults }
        await Checks.eventually("the last results") {
            search.scroll(to: 1)
            return search.visibleRows.lowerBound > 50
        }
        let rows = search.model.state.content.rows
        if let query = sort?.setting("stars", in: search.model.query) { search.model.query = query }
        await Checks.eventually("other results from the top") {
            search.model.state.content.rows != rows && search.visibleRows.lowerBound == 0 && showsResults
        }
        search.model.query.text = ""
        desktop.show("followers")
    }

    /// An input method, and a menu, get Escape before the window does.
    private func composing() async {
        desktop.open(.gitHub(.userProfile(GitHub.Login("octocat"))))
        guard let entry = UnsafeMutableRawPointer(gtk_editable_get_delegate(filter.opaque)) else {
            return Checks.expect(false, "an entry")
        }
        final class Composed { var count = 0 }
        let composed = Composed()
        connect(entry, "preedit-changed") { text in
            composed.count = text.map { strlen($0.assumingMemoryBound(to: CChar.self)) } ?? 0
        }
        gtk_widget_grab_focus(filter)
        await xdotool("key", "ctrl+shift+u")
        await Checks.eventually("a character is composed") { composed.count > 0 }
        await xdotool("key", "Escape")
        await Checks.eventually("Escape ends it") { composed.count == 0 }
        Checks.expect(desktop.details.count == 1, "and closes nothing")
        desktop.show("repos")
        guard let menu = widget(in: desktop.repos.root, where: { has($0, GTK_ACCESSIBLE_ROLE_COMBO_BOX, "Sort By") })
        else { return Checks.expect(false, "a menu") }
        let button = gtk_widget_get_first_child(menu)
        let isOpen = { gtk_widget_get_state_flags(button).rawValue & GTK_STATE_FLAG_CHECKED.rawValue != 0 }
        gtk_widget_grab_focus(menu)
        await xdotool("key", "space")
        await Checks.eventually("the menu opens") { isOpen() }
        await xdotool("key", "Escape")
        await Checks.eventually("Escape closes it") { !isOpen() }
        Checks.expect(desktop.details.count == 1, "and nothing else")
        desktop.show("followers")
        gtk_widget_grab_focus(filter)
        await xdotool("key", "Escape")
        await Checks.eventually("Escape in an empty entry closes the details") { desktop.details.isEmpty }
    }

    private func checkKorean() async {
        await Checks.eventually("100 followers") { rows.count == 100 && showsFollowers }
        Checks.expect(has(screen.view, GTK_ACCESSIBLE_ROLE_LIST, "octocat의 팔로워"), "the list has a Korean name")
        Checks.expect(has(filter, GTK_ACCESSIBLE_ROLE_SEARCH_BOX, "필터"), "the filter has a Korean name")
        Checks.expect(button("새로 고침", in: desktop.window) != nil, "the button has a Korean name")
        Checks.expect(menuItem("즐겨찾기") != nil, "the menu has a Korean name")
        await checkRows("Korean")
        desktop.show("repos")
        let search = desktop.repos
        await Checks.eventually("a form") { search.entry != nil }
        guard let entry = search.entry else { return }
        gtk_widget_grab_focus(entry)
        // xdotool changes the keyboard for each of these keys, which GTK can learn too late.
        for _ in 0..<4 where text(of: entry) != "고양이" {
            setEntry(entry, "")
            await xdotool("type", "--delay", "200", "고양이")
            try? await Task.sleep(for: .milliseconds(300))
        }
        Checks.expect(text(of: entry) == "고양이", "the Korean text is “\(text(of: entry))”")
        await Checks.eventually("Korean results") {
            let results = search.model.state.content.rows
            return search.model.query.text == "고양이" && !results.isEmpty && showsResults
                && results.allSatisfy { $0.summary?.contains("고양이") == true }
        }
    }
}

extension ListScreen {
    /// The message in place of the rows, or beside them.
    var message: Message? { placeholder.message ?? footer.message ?? header.message }

    /// The widgets of the bound rows, by their position.
    var bound: [Int: Widget] {
        let pairs = cells.filter { $1.row != nil }.map { (position(of: $0), $1.root) }
        return Dictionary(pairs) { first, _ in first }
    }

    /// The images of the rows on the screen.
    var visibleImages: [RemoteImageViewModel.State] {
        cells.filter { $1.content.image != nil && visibleRows.contains(position(of: $0)) }.map { $1.avatar.image.state }
    }

    /// Scrolls to the row at a part of the list, 0 to 1.
    ///
    /// Until GTK has laid new rows out, the scroll bar's value is that of the old ones; setting it
    /// would scroll nowhere, with a warning.
    func scroll(to fraction: Double) {
        let position = UInt32(fraction * Double(max(0, rows.items.count - 1)))
        gtk_widget_activate_action_variant(view, "list.scroll-to-item", g_variant_new_uint32(position))
    }
}

/// A generator that repeats its numbers.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
