import BrowseKit
import CDesktop

/// The window: a sidebar, the list beside it, and the details of what is chosen.
public final class DesktopWindow {
    let container: Container
    let window: Widget
    let followers: ListScreen<FollowerListViewModel>
    let repos: ListScreen<RepoSearchViewModel>
    let favorites: ListScreen<FavoriteListViewModel>
    let account: DetailScreen<AccountViewModel>
    /// The opened details, the visible one last.
    private(set) var details: [any Screen] = []
    /// The routes of the opened details.
    private var routes: [Route] = []
    private(set) var signIn: SignInDialog?
    /// Whether the person has closed the window, whose widgets are gone while changes go on.
    private var isClosed = false

    private let stack: Widget = gtk_stack_new()
    private let pane: Widget = gtk_stack_new()
    private let empty: Widget = adw_status_page_new()
    private let back: Widget
    /// The screens of the sidebar, by their names.
    private var screens: [String: any Screen] = [:]

    /// A row in which a section begins has its header, which is outside of the selection.
    private static let style = """
        .notice { padding: 9px; }
        listview, listview > row { background: none; outline: none; padding: 0; }
        listview > row > box > label { margin: 9px 6px 3px; }
        listview > row > box > box { padding: 5px 6px; }
        listview > row:hover > box > box { background: alpha(currentColor, 0.04); }
        listview > row:selected > box > box { background: alpha(currentColor, 0.1); }
        listview > row:focus-visible > box > box { box-shadow: inset 0 0 0 2px alpha(@accent_color, 0.5); }
        """

    /// Starts the toolkit, and connects the main actor to its main loop.
    ///
    /// Call it once, before anything else. Returns `false` without a display.
    public static func start() -> Bool {
        guard gtk_init_check() != 0 else { return false }
        adw_init()
        desktop_attach_main_queue()
        let style: UnsafeMutablePointer<GtkCssProvider> = gtk_css_provider_new()
        gtk_css_provider_load_from_data(style, Self.style, -1)
        gtk_style_context_add_provider_for_display(
            gdk_display_get_default(),
            OpaquePointer(style),
            guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION)
        )
        return true
    }

    /// Creates the window, and presents it.
    ///
    /// - Parameters:
    ///   - list: The list to begin with.
    ///   - isDark: Whether the window is dark; `nil` follows the system.
    ///   - didClose: Called when the person has closed the window, and changes such as stars are stored.
    public init(
        container: Container,
        list: GitHub.FollowList,
        isDark: Bool? = nil,
        didClose: @escaping () -> Void
    ) {
        self.container = container
        let texts = container.texts()
        window = adw_window_new()
        if let isDark {
            let scheme = isDark ? ADW_COLOR_SCHEME_FORCE_DARK : ADW_COLOR_SCHEME_FORCE_LIGHT
            adw_style_manager_set_color_scheme(adw_style_manager_get_default(), scheme)
        }
        gtk_window_set_title(window.as(), "BrowseKit")
        gtk_window_set_default_size(window.as(), 1100, 720)
        weak var desktop: DesktopWindow?
        let open: Open = { desktop?.open($0) }
        back = button(texts(.back), icon: "go-previous-symbolic") { desktop?.closeDetails() }
        followers = ListScreen(list, container: container, open: open)
        repos = ListScreen(container: container, open: open)
        favorites = ListScreen(container: container, open: open)
        account = DetailScreen(container: container, window: window, open: open)
        desktop = self
        add(followers, "followers", texts(.followers))
        add(repos, "repos", texts(RepoSearchViewModel.title))
        add(favorites, "favorites", texts(FavoriteListViewModel.title))
        add(account, "account", texts(AccountViewModel.title))
        adw_status_page_set_title(empty.opaque, texts(.noChoice))
        adw_status_page_set_description(empty.opaque, texts(.choose))
        gtk_stack_add_child(pane.opaque, empty)
        layOut(texts)
        connect(window, "close-request") { [weak self] in
            self?.isClosed = true
            Task {
                await Changes.finish()
                didClose()
            }
        }
        // Another program can have changed the favorites while it had the focus.
        connect(window, "notify::is-active") { [window] in
            guard gtk_window_is_active(window.as()) != 0 else { return }
            Task { await container.appDidBecomeActive() }
        }
        let session = container.gitHubSession()
        Task { await session.start() }
        gtk_window_present(window.as())
    }

    private func add(_ screen: any Screen, _ name: String, _ title: String) {
        gtk_stack_add_titled(stack.opaque, screen.root, name, title)
        screens[name] = screen
        prepare(screen)
    }

    private func prepare(_ screen: any Screen) {
        connect(screen.root, "map") { [weak screen] in screen?.appear() }
        // A search entry doesn't pass Escape on to the window.
        guard let entry = screen.entry else { return }
        connect(entry, "stop-search") { [weak self] in
            if text(of: entry).isEmpty { self?.closeDetails() } else { setEntry(entry, "") }
        }
    }

    private func layOut(_ texts: Texts) {
        let sidebar: Widget = gtk_stack_sidebar_new()
        gtk_stack_sidebar_set_stack(sidebar.opaque, stack.opaque)
        gtk_widget_set_size_request(sidebar, 160, -1)
        gtk_widget_set_size_request(pane, 360, -1)
        gtk_widget_set_hexpand(stack, 1)
        gtk_widget_set_vexpand(stack, 1)
        let parts: [Widget] = [sidebar, stack, gtk_separator_new(GTK_ORIENTATION_VERTICAL), pane]
        let header: Widget = adw_header_bar_new()
        let refresh = button(texts(.refresh), icon: "view-refresh-symbolic") { [weak self] in
            self?.sidebarScreen.refresh()
        }
        adw_header_bar_pack_start(header.opaque, refresh)
        adw_header_bar_pack_end(header.opaque, back)
        setVisible(back, false)
        let content = box(GTK_ORIENTATION_HORIZONTAL, 0, parts)
        adw_window_set_content(window.as(), box(GTK_ORIENTATION_VERTICAL, 0, [header, content]))
        shortcut("<Control>f", in: window) { [weak self] in
            guard let self, let entry = screen.entry ?? sidebarScreen.entry else { return false }
            return gtk_widget_grab_focus(entry) != 0
        }
        shortcut("F5", in: window) { [weak self] in
            self?.screen.refresh()
            return true
        }
        // The keys of all windows (GNOME Human Interface Guidelines, "Keyboard").
        shortcut("<Control>w|<Control>q", in: window) { [window] in
            gtk_window_close(window.as())
            return true
        }
        shortcut("Escape", in: window) { [weak self] in self?.closeDetails() ?? false }
        shortcut("Down", in: window) { [weak self] in self?.moveToRows() ?? false }
    }

    /// The screen for keys: the details if they have the focus, or else that of the sidebar.
    private var screen: any Screen {
        if let last = details.last, hasFocus(last.root) { last } else { sidebarScreen }
    }

    private var sidebarScreen: any Screen {
        screens[String(cString: gtk_stack_get_visible_child_name(stack.opaque))] ?? account
    }

    /// Shows a screen of the sidebar.
    func show(_ name: String) { gtk_stack_set_visible_child_name(stack.opaque, name) }

    /// Moves the focus from the entry, or what is beside it, to the rows.
    private func moveToRows() -> Bool {
        guard let entry = screen.entry, let list = screen.list, hasFocus(gtk_widget_get_parent(entry)) else {
            return false
        }
        return gtk_widget_grab_focus(list) != 0
    }

    func hasFocus(_ widget: Widget) -> Bool {
        gtk_window_get_focus(window.as()).map { gtk_widget_is_ancestor($0, widget) != 0 } ?? false
    }

    func open(_ route: Route) {
        guard !isClosed else { return }
        // A key that is held down opens one screen.
        if let last = details.last, route == routes.last { return last.appear() }
        let open: Open = { [weak self] in self?.open($0) }
        switch route.screen {
        case .gitHub(.userProfile(let login)):
            show(ProfileScreen(container: container, open: open) { await $0.showIfNeeded(login) }, route)
        case .gitHub(.account(let id, let label)):
            show(ProfileScreen(container: container, open: open) { await $0.showIfNeeded(id, label: label) }, route)
        case .gitHub(.followList(let list)): show(ListScreen(list, container: container, open: open), route)
        case .gitHub(.repoList(let list)): show(ListScreen(list, container: container, open: open), route)
        case .gitHub(.repo(let id, let label)):
            show(RepoScreen(container: container, open: open) { await $0.showIfNeeded(id, label: label) }, route)
        case .gitHub(.repoNamed(let name, let owner)):
            show(RepoScreen(container: container, open: open) { await $0.showIfNeeded(named: name, of: owner) }, route)
        case .signIn:
            guard signIn == nil else { return }
            signIn = SignInDialog(container: container, parent: window) { [weak self] in self?.signInDidEnd() }
        case .webPage(let page): openInBrowser(page, from: window)
        default: break
        }
    }

    /// The screens whose message asked for the sign-in load again.
    private func signInDidEnd() {
        signIn = nil
        guard !isClosed else { return }
        for screen in [sidebarScreen] + details where screen.asksToSignIn { screen.refresh() }
    }

    private func show(_ screen: any Screen, _ route: Route) {
        details.append(screen)
        routes.append(route)
        gtk_stack_add_child(pane.opaque, screen.root)
        prepare(screen)
        showDetails()
    }

    /// Closes the visible details; their loads end. The focus goes back to the rows beside them.
    ///
    /// Returns whether there were any.
    @discardableResult
    func closeDetails() -> Bool {
        guard let last = details.popLast() else { return false }
        routes.removeLast()
        let hadFocus = hasFocus(last.root) || gtk_widget_is_focus(back) != 0
        // This order moves the focus at once; GTK loses keys between a removal and the next frame.
        showDetails()
        if hadFocus, details.isEmpty, let list = sidebarScreen.list { gtk_widget_grab_focus(list) }
        gtk_stack_remove(pane.opaque, last.root)
        return true
    }

    private func showDetails() {
        setVisible(back, !details.isEmpty)
        gtk_stack_set_visible_child(pane.opaque, details.last?.root ?? empty)
    }
}
