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
            english.checkRows(name)
            english.services.setScenario(.normal)
        }
        english.close()
        let korean = WindowTests("ko_KR")
        print("· Korean")
        await korean.checkKorean()
        korean.close()
    }

    private let services = OfflineServices()
    private let desktop: DesktopWindow
    private let texts: Texts

    private init(_ language: String) {
        let configuration = Configuration().with { $0.locale = Locale(identifier: language) }
        let container = Container.offline(services, configuration: configuration)
        texts = container.texts()
        desktop = DesktopWindow(container: container, list: .followers(of: GitHub.Login("octocat"))) {}
    }

    private func close() { gtk_window_destroy(desktop.window.as()) }

    private var screen: ListScreen<FollowerListViewModel> { desktop.followers.screen }
    private var model: FollowerListViewModel { screen.model }
    private var filter: Widget { desktop.followers.filter }
    private var rows: Rows<UserRow> { model.state.content.rows }

    private var steps: [(String, () async -> Void)] {
        [
            ("names and roles", namesAndRoles), ("typing quickly", typeQuickly), ("three pages", scrollPages),
            ("a filter while a page loads", filterWhileLoading), ("hearts on two screens", hearts),
            ("a refresh while loading", refreshWhileLoading), ("images after a failure", imagesAfterFailure),
            ("the keyboard", keyboard), ("closing while loading", closeWhileLoading), ("a search", search),
            ("a README", readme),
            ("signing in", signIn), ("messages", messages), ("a hasty person", haste),
        ]
    }

    // MARK: Checks

    /// GTK's list has the rows of the state, and the entry has its text.
    private func checkRows(_ step: String) {
        Checks.expect(screen.rows.matches(rows), "\(step): GTK has other followers")
        let favorites = desktop.favorites.screen
        Checks.expect(favorites.rows.matches(favorites.model.state.content.rows), "\(step): GTK has other favorites")
        Checks.expect(text(of: filter) == model.filter, "\(step): “\(text(of: filter))”, not “\(model.filter)”")
    }

    /// Without a window manager, nothing else gives a window the focus.
    private func focus() async {
        await Checks.eventually("the window is on the screen") { gtk_widget_get_mapped(desktop.window) != 0 }
        await xdotool("search", "--sync", "--onlyvisible", "--name", "BrowseKit", "windowfocus", "--sync")
    }

    private func button(_ name: String, in widget: Widget) -> Widget? {
        self.widget(in: widget) { has($0, GTK_ACCESSIBLE_ROLE_BUTTON, name) }
    }

    private func widget(in widget: Widget, where isMatch: (Widget) -> Bool) -> Widget? {
        if isMatch(widget) { return widget }
        var child = gtk_widget_get_first_child(widget)
        while let next = child {
            if let found = self.widget(in: next, where: isMatch) { return found }
            child = gtk_widget_get_next_sibling(next)
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
            && desktop_has_name(UnsafeMutableRawPointer(widget), name) != 0
    }

    // MARK: Steps

    private func namesAndRoles() async {
        await Checks.eventually("100 followers") { rows.count == 100 && screen.cell(rows[0].id) != nil }
        Checks.expect(has(screen.list, GTK_ACCESSIBLE_ROLE_LIST, "Followers of octocat"), "the list has a name")
        Checks.expect(has(filter, GTK_ACCESSIBLE_ROLE_SEARCH_BOX, "Filter"), "the filter has a name")
        Checks.expect(
            has(desktop.followers.user, GTK_ACCESSIBLE_ROLE_TEXT_BOX, "GitHub Username"),
            "the entry has a name"
        )
        for name in ["Refresh", "Back"] { Checks.expect(button(name, in: desktop.window) != nil, "button \(name)") }
        let cell = screen.cell(rows[0].id)
        Checks.expect(cell.flatMap { button("Add to Favorites", in: $0) } != nil, "the heart has a name")
    }

    private func typeQuickly() async {
        gtk_widget_grab_focus(filter)
        await xdotool("type", "--delay", "1", "vellamor")
        await Checks.eventually("all keys arrive") { text(of: filter).count == 8 }
        Checks.expect(text(of: filter) == "vellamor" && model.filter == "vellamor", "the text is “\(text(of: filter))”")
        let count = screen.rows.signalCount
        await xdotool("type", "c")
        await Checks.eventually("rows that match") {
            model.filter == "vellamorc" && screen.rows.matches(rows)
                && rows.allSatisfy { $0.login.rawValue.lowercased().contains("vellamorc") }
        }
        Checks.expect(screen.rows.signalCount - count <= 8, "\(screen.rows.signalCount - count) signals for a key")
        await xdotool("key", "Escape")
        // A filter that leaves few rows has loaded further pages.
        await Checks.eventually("Escape clears the filter") {
            model.filter.isEmpty && screen.rows.count == model.state.content.loadedCount
        }
    }

    private func scrollPages() async {
        await model.show(.followers(of: GitHub.Login("octocat")))
        await Checks.eventually("100 rows") { screen.rows.count == 100 }
        for count in [200, 257] {
            // GTK may lay the rows out after this.
            await Checks.eventually("\(count) rows") {
                screen.scroll(to: 1)
                return screen.rows.count >= count
            }
        }
        Checks.expect(!model.state.content.hasMore, "the end")
    }

    private func filterWhileLoading() async {
        services.setScenario(.slow(.milliseconds(200)))
        await model.refresh()
        await Checks.eventually("the first page") { screen.rows.count == 100 }
        screen.scroll(to: 1)
        await Checks.eventually("a page loads") { model.state.content.status == .loadingMore }
        gtk_widget_grab_focus(filter)
        await xdotool("type", "--delay", "5", "an")
        await Checks.eventually("the page is filtered") {
            model.state.content.loadedCount > 100 && screen.rows.matches(rows)
                && rows.allSatisfy { $0.login.rawValue.lowercased().contains("an") }
        }
        checkRows("before the filter is cleared")
        await xdotool("key", "Escape")
        await Checks.eventually("all rows") { screen.rows.count == model.state.content.loadedCount }
    }

    private func hearts() async {
        screen.scroll(to: 0)
        let row = rows[0]
        await Checks.eventually("the first cell") { screen.cell(row.id) != nil }
        if let cell = screen.cell(row.id), let heart = button("Add to Favorites", in: cell) {
            gtk_widget_activate(heart)
        }
        let favorites = desktop.favorites.screen
        await Checks.eventually("a favorite") { favorites.rows.count == 1 }
        Checks.expect(model.row(row.id)?.isFavorite == true, "the heart is full")
        desktop.show("favorites")
        await Checks.eventually("its section") {
            favorites.sectionTitle?(0) == row.login.rawValue.prefix(1).uppercased()
        }
        guard let favorite = favorites.model.state.content.rows.first else { return }
        await Checks.eventually("its cell") { favorites.cell(favorite.id) != nil }
        if let cell = favorites.cell(favorite.id), let heart = button("Remove from Favorites", in: cell) {
            gtk_widget_activate(heart)
        }
        await Checks.eventually("no favorite") { favorites.rows.count == 0 && model.row(row.id)?.isFavorite == false }
        let cell = screen.cell(row.id)
        Checks.expect(cell.flatMap { button("Add to Favorites", in: $0) } != nil, "the heart is empty")
        desktop.show("followers")
    }

    private func refreshWhileLoading() async {
        services.setScenario(.slow(.milliseconds(150)))
        for _ in 0..<3 { desktop.followers.refresh() }
        await Checks.eventually("refreshing") { model.state.content.status == .refreshing }
        screen.scroll(to: 1)
        desktop.followers.refresh()
        await Checks.eventually("refreshed") { model.state.content.status == .ready && screen.rows.matches(rows) }
    }

    private func imagesAfterFailure() async {
        services.images.scenario = .offline
        await model.show(.followers(of: GitHub.Login("mockworks")))
        await Checks.eventually("images fail") {
            screen.visibleImages.contains { if case .failed = $0 { true } else { false } }
        }
        services.images.scenario = .normal
        desktop.followers.refresh()
        await Checks.eventually("a refresh loads them") {
            screen.visibleImages.allSatisfy { if case .loaded = $0 { true } else { false } }
        }
        await model.show(.followers(of: GitHub.Login("octocat")))
        await Checks.eventually("rows") { screen.rows.matches(rows) }
    }

    private func keyboard() async {
        await Checks.eventually("rows") { screen.rows.count == 100 }
        await xdotool("key", "ctrl+f")
        await Checks.eventually("Ctrl+F moves to the filter") {
            gtk_window_get_focus(desktop.window.as()).map { gtk_widget_is_ancestor($0, filter) != 0 } == true
        }
        await xdotool("key", "Down")
        await Checks.eventually("Down moves to the rows") {
            gtk_window_get_focus(desktop.window.as()).map { gtk_widget_is_ancestor($0, screen.list) != 0 } == true
        }
        await xdotool("key", "Return")
        await Checks.eventually("Enter opens a profile") { desktop.details.count == 1 }
        let profile = desktop.details.last as? ProfileScreen
        await Checks.eventually("its details") { profile?.screen.model.state.content.details != nil }
        await Checks.eventually("the row keeps its image") {
            !screen.visibleImages.isEmpty
                && screen.visibleImages.allSatisfy { if case .loaded = $0 { true } else { false } }
        }
        await xdotool("key", "Escape")
        await Checks.eventually("Escape closes it") { desktop.details.isEmpty }
    }

    private func closeWhileLoading() async {
        services.setScenario(.slow(.seconds(20)))
        desktop.open(.gitHub(.userProfile(GitHub.Login("haneul-kim"))))
        weak let profile = (desktop.details.last as? ProfileScreen)?.screen.model
        await Checks.eventually("the profile loads") { profile?.state.content.status == .loading }
        desktop.closeDetails()
        await Checks.eventually("a closed screen is released") { profile == nil }
    }

    private func search() async {
        desktop.show("repos")
        let search = desktop.repos.screen
        await Checks.eventually("a form") { desktop.repos.entry != nil }
        guard let entry = desktop.repos.entry else { return }
        gtk_widget_grab_focus(entry)
        await xdotool("type", "--delay", "1", "lunar")
        await Checks.eventually("results") { search.model.query.text == "lunar" && search.rows.count > 0 }
        Checks.expect(text(of: entry) == "lunar", "the text is “\(text(of: entry))”")
        guard let row = search.model.state.content.rows.first else { return }
        await Checks.eventually("its cell") { search.cell(row.id) != nil }
        Checks.expect(search.cell(row.id).flatMap { button("Star", in: $0) } != nil, "the star has a name")
        if let route = search.model.select(row.id) { desktop.open(route) }
        let repo = desktop.details.last as? RepoScreen
        await Checks.eventually("its repository") { repo?.screen.model.state.content.details != nil }
        await Checks.eventually("its star") { repo.flatMap { button("Star", in: $0.root) } != nil }
        desktop.closeDetails()
        await xdotool("key", "Escape")
        await Checks.eventually("no results") { search.rows.count == 0 && text(of: entry).isEmpty }
        desktop.show("followers")
    }

    private func readme() async {
        desktop.open(.gitHub(.repoNamed("hello-tentacles", of: GitHub.Login("octocat"))))
        let repo = desktop.details.last as? RepoScreen
        await Checks.eventually("a README") {
            guard let repo, case .loaded(let readme?) = repo.screen.model.state.readme.status,
                let view = widget(in: repo.root, where: { has($0, GTK_ACCESSIBLE_ROLE_TEXT_BOX, "README") })
            else { return false }
            return content(of: gtk_text_view_get_buffer(view.as())) == readme.text
        }
        desktop.closeDetails()
    }

    private func signIn() async {
        desktop.open(.signIn)
        guard let dialog = desktop.signIn else { return Checks.expect(false, "a dialog") }
        if let begin = button(texts(.signInByCode), in: dialog.window) { gtk_widget_activate(begin) }
        await Checks.eventually("a code") {
            String(cString: gtk_label_get_text(dialog.code.opaque)).count > 3 || desktop.signIn == nil
        }
        gtk_window_close(dialog.window.as())
        await Checks.eventually("the dialog closes") { desktop.signIn == nil }
    }

    private func messages() async {
        services.setScenario(.offline)
        await model.show(.followers(of: GitHub.Login("haneul-kim")))
        await Checks.eventually("No Connection") { screen.message?.title == "No Connection" }
        services.setScenario(.normal)
        await Checks.eventually("a button") { button("Try Again", in: screen.root) != nil }
        if let again = button("Try Again", in: screen.root) { gtk_widget_activate(again) }
        await Checks.eventually("rows") { screen.rows.count > 0 }
    }

    /// Random actions, after each of which GTK has the rows of the state that it was told of.
    private func haste() async {
        var random = SeededGenerator(seed: 7)
        let scenarios: [Scenario] = [.normal, .normal, .slow(.milliseconds(30)), .serverError, .offline, .empty]
        let favorites = desktop.favorites.screen
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
                await Checks.eventually("step \(step)") {
                    screen.rows.matches(rows) && favorites.rows.matches(favorites.model.state.content.rows)
                }
            }
        }
        services.setScenario(.normal)
        (model.filter, favorites.model.query.filter) = ("", "")
        await model.show(.followers(of: GitHub.Login("octocat")))
        await Checks.eventually("all is well") { screen.rows.count == 100 && text(of: filter).isEmpty }
        await Checks.eventually("favorites, too") { favorites.rows.matches(favorites.model.state.content.rows) }
    }

    private func checkKorean() async {
        await Checks.eventually("100 followers") { screen.rows.count == 100 && screen.cell(rows[0].id) != nil }
        Checks.expect(has(screen.list, GTK_ACCESSIBLE_ROLE_LIST, "octocat의 팔로워"), "the list has a Korean name")
        Checks.expect(has(filter, GTK_ACCESSIBLE_ROLE_SEARCH_BOX, "필터"), "the filter has a Korean name")
        Checks.expect(button("새로 고침", in: desktop.window) != nil, "the button has a Korean name")
        checkRows("Korean")
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
