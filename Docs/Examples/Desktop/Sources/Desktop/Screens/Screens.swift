// The screens: the differences between them.
import BrowseKit
import CDesktop

extension Phrase {
    static let followers = Phrase("desktop.followers", "Followers", ko: "팔로워")
    static let username = Phrase("desktop.username", "GitHub Username", ko: "GitHub 사용자 이름")
    static let choose = Phrase("desktop.choose", "Choose an item to see its details.", ko: "항목을 선택하면 세부 정보가 표시됩니다.")
    static let noChoice = Phrase("desktop.noChoice", "Nothing Selected", ko: "선택한 항목 없음")
    static let back = Phrase("desktop.back", "Back", ko: "뒤로")
    static let signInByCode = Phrase("desktop.signInByCode", "Sign In on Another Device", ko: "다른 기기에서 로그인")
    static let openPage = Phrase("desktop.openPage", "Open Page", ko: "페이지 열기")
}

/// A screen in the window.
@MainActor
protocol Screen: AnyObject {
    /// The widget of the screen.
    var root: Widget { get }
    /// The entry for Ctrl+F; `nil` if there is none.
    var entry: Widget? { get }
    /// The rows, to which the arrow down moves from the entry; `nil` if there are none.
    var list: Widget? { get }
    /// Loads the screen again, for F5.
    func refresh()
}

@MainActor
final class FollowersScreen: Screen {
    let root: Widget
    let screen: ListScreen<FollowerListViewModel>
    var list: Widget? { screen.list }
    var entry: Widget? { filter }
    let filter: Widget
    /// The entry for an account.
    let user: Widget
    private let title = label("", "title-3")

    init(_ list: GitHub.FollowList, container: Container, open: @escaping @MainActor (Route) -> Void) {
        let texts = container.texts()
        let model = container.followerListViewModel()
        let user: Widget = gtk_entry_new()
        gtk_entry_set_placeholder_text(user.as(), texts(.username))
        setName(user, texts(.username))
        let filter = searchEntry(texts(.filter)) { [model] in if model.filter != $0 { model.filter = $0 } }
        screen = ListScreen(model, container: container, open: open) {
            _ = gtk_widget_grab_focus(user)
        } content: {
            CellContent(title: $0.login.rawValue, image: $0.avatar, isFavorite: $0.isFavorite)
        }
        (self.user, self.filter) = (user, filter)
        let line = box(GTK_ORIENTATION_HORIZONTAL, 6, [user, filter])
        root = box(
            GTK_ORIENTATION_VERTICAL,
            6,
            [box(GTK_ORIENTATION_VERTICAL, 6, margin: 6, [title, line]), screen.root]
        )
        let search = container.followerSearchViewModel()
        connect(user, "activate") { [model, work = screen.work] in
            search.query = text(of: user)
            guard case .gitHub(.followList(let list))? = search.submit()?.screen else { return }
            work.start { await model.show(list) }
        }
        screen.toggleFavorite = { [model] row in Task { await model.toggleFavorite(row.id) } }
        screen.didApply = { [title, list = screen.list] state in
            setText(title, state.title)
            setName(list, state.title)
            // The button of a message clears the filter.
            setEntry(filter, state.filter)
        }
        screen.work.start { await model.showIfNeeded(list) }
    }

    func refresh() { screen.work.start { [model = screen.model] in await model.refresh() } }
}

extension CellContent {
    init(_ row: RepoRow, title: String, texts: Texts) {
        self.init(
            title: title,
            subtitle: row.summary,
            image: row.owner?.avatar,
            isFavorite: row.isFavorite,
            star: row.canStar ? (row.isStarred, row.starCount.map { texts.formats.compact($0) } ?? "") : nil
        )
    }
}

@MainActor
final class RepoSearchScreen: Screen {
    let root: Widget
    let screen: ListScreen<RepoSearchViewModel>
    var list: Widget? { screen.list }
    private let form: SearchForm<RepoSearchViewModel>

    init(container: Container, open: @escaping @MainActor (Route) -> Void) {
        let texts = container.texts()
        let model = container.repoSearchViewModel()
        nonisolated(unsafe) weak var entry: RepoSearchScreen?
        screen = ListScreen(model, container: container, open: open) {
            if let entry = entry?.entry { gtk_widget_grab_focus(entry) }
        } content: {
            CellContent($0, title: $0.fullName, texts: texts)
        }
        form = SearchForm(model, work: screen.work)
        root = box(GTK_ORIENTATION_VERTICAL, 0, [form.root, screen.root])
        entry = self
        setName(screen.list, texts(RepoSearchViewModel.title))
        screen.toggleFavorite = { [model] row in Task { await model.toggleFavorite(row.id) } }
        screen.toggleStar = { [model] row in Task { if let route = await model.toggleStar(row.id) { open(route) } } }
        screen.didApply = { [form] in form.show($0) }
    }

    var entry: Widget? { form.entry }

    func refresh() { screen.work.start { [model = screen.model] in await model.refresh() } }
}

@MainActor
final class RepoListScreen: Screen {
    let root: Widget
    let screen: ListScreen<RepoListViewModel>
    var list: Widget? { screen.list }
    let entry: Widget?

    init(_ list: GitHub.RepoList, container: Container, open: @escaping @MainActor (Route) -> Void) {
        let texts = container.texts()
        let model = container.repoListViewModel()
        let title = label("", "title-3")
        let filter = searchEntry(texts(.filter)) { [model] in if model.filter != $0 { model.filter = $0 } }
        entry = filter
        screen = ListScreen(model, container: container, open: open) {
            CellContent($0, title: $0.name, texts: texts)
        }
        root = box(
            GTK_ORIENTATION_VERTICAL,
            6,
            [box(GTK_ORIENTATION_VERTICAL, 6, margin: 6, [title, filter]), screen.root]
        )
        screen.toggleFavorite = { [model] row in Task { await model.toggleFavorite(row.id) } }
        screen.toggleStar = { [model] row in Task { if let route = await model.toggleStar(row.id) { open(route) } } }
        screen.didApply = { [list = screen.list] in
            setText(title, $0.title)
            setName(list, $0.title)
            setEntry(filter, $0.filter)
        }
        screen.work.start { await model.showIfNeeded(list) }
    }

    func refresh() { screen.work.start { [model = screen.model] in await model.refresh() } }
}

@MainActor
final class FavoritesScreen: Screen {
    let root: Widget
    let screen: ListScreen<FavoriteListViewModel>
    var list: Widget? { screen.list }
    private let form: SearchForm<FavoriteListViewModel>

    init(container: Container, open: @escaping @MainActor (Route) -> Void) {
        let model = container.favoriteListViewModel()
        screen = ListScreen(model, container: container, open: open) { row in
            CellContent(title: row.favorite.title, image: row.favorite.image, isFavorite: row.isFavorite)
        }
        form = SearchForm(model, work: screen.work)
        root = box(GTK_ORIENTATION_VERTICAL, 0, [form.root, screen.root])
        setName(screen.list, container.texts()(FavoriteListViewModel.title))
        screen.toggleFavorite = { [model] row in Task { await model.toggleFavorite(row.id) } }
        // GTK 4.12 has sections; before, the first row of each has a header.
        screen.sectionTitle = { [weak screen] position in
            screen?.model.state.sections.first { $0.positions.lowerBound == position }?.title
        }
        screen.didApply = { [form] in form.show($0) }
        screen.work.start { await model.showIfNeeded() }
    }

    var entry: Widget? { form.entry }

    func refresh() { screen.work.start { [model = screen.model] in await model.refresh() } }
}

@MainActor
final class ProfileScreen: Screen {
    let screen: DetailScreen<UserProfileViewModel>
    var root: Widget { screen.root }
    let (entry, list): (Widget?, Widget?) = (nil, nil)

    init(
        container: Container,
        open: @escaping @MainActor (Route) -> Void,
        load: @escaping @MainActor (UserProfileViewModel) async -> Void
    ) {
        let texts = container.texts()
        let model = container.userProfileViewModel()
        screen = DetailScreen(
            model,
            container: container,
            image: {
                $0.content.details?.profile.user.avatar
            },
            open: open,
            load: load
        )
        gtk_box_append(
            screen.buttons.as(),
            button(texts(.followers)) { [model] in if let route = model.showFollowers() { open(route) } }
        )
        gtk_box_append(
            screen.buttons.as(),
            button(texts(RepoSearchViewModel.title)) { [model] in if let route = model.showRepos() { open(route) } }
        )
    }

    func refresh() { screen.work.start { [model = screen.model] in await model.refresh() } }
}

/// A repository, whose facts lead to its owner and its pages.
@MainActor
final class RepoScreen: Screen {
    let screen: DetailScreen<RepoDetailViewModel>
    var root: Widget { screen.root }
    let (entry, list): (Widget?, Widget?) = (nil, nil)

    init(
        container: Container,
        open: @escaping @MainActor (Route) -> Void,
        load: @escaping @MainActor (RepoDetailViewModel) async -> Void
    ) {
        let texts = container.texts()
        let model = container.repoDetailViewModel()
        screen = DetailScreen(
            model,
            container: container,
            image: {
                $0.row?.owner?.avatar
            },
            open: open,
            load: load
        )
        let star = button("☆", "flat") { [model] in
            Task { if let route = await model.toggleStar() { open(route) } }
        }
        gtk_box_append(screen.buttons.as(), star)
        let readme = ReadmeView(texts)
        gtk_box_append(screen.footer.as(), readme.root)
        screen.didApply = { state in
            readme.show(state.readme.status)
            setVisible(star, state.row?.canStar == true)
            guard let row = state.row else { return }
            let count = row.starCount.map { texts.formats.compact($0) } ?? ""
            gtk_button_set_label(star.as(), (row.isStarred ? "★ " : "☆ ") + count)
            setName(star, texts(row.isStarred ? .unstar : .star), of: state.title)
        }
    }

    func refresh() { screen.work.start { [model = screen.model] in await model.refresh() } }
}

/// The README of a repository, as plain text.
@MainActor
private final class ReadmeView {
    let root: Widget
    private let texts: Texts
    private let status = label("", "dim-label", wraps: true)
    private let text: Widget = gtk_text_view_new()
    private var shown: GitHub.Readme?

    init(_ texts: Texts) {
        self.texts = texts
        gtk_text_view_set_editable(text.as(), 0)
        gtk_text_view_set_monospace(text.as(), 1)
        gtk_text_view_set_wrap_mode(text.as(), GTK_WRAP_WORD_CHAR)
        setName(text, texts(.readme))
        root = box(GTK_ORIENTATION_VERTICAL, 6, [label(texts(.readme), "heading"), text, status])
    }

    func show(_ new: DetailState<GitHub.Readme?>.Status) {
        var readme: GitHub.Readme?
        if case .loaded(let loaded) = new { readme = loaded }
        let note =
            switch new {
            case .loaded(nil): texts(.noReadme)
            case .loaded(let readme?): readme.isTruncated ? texts(.readmeTruncated) : ""
            default: new.message?.text ?? texts(.loading)
            }
        setText(status, note)
        setVisible(status, !note.isEmpty)
        guard shown != readme else { return }
        shown = readme
        // GTK takes no zero bytes.
        let text = readme?.text.replacing("\0", with: "\u{FFFD}") ?? ""
        gtk_text_buffer_set_text(gtk_text_view_get_buffer(self.text.as()), text, Int32(clamping: text.utf8.count))
        setVisible(self.text, !text.isEmpty)
    }
}

@MainActor
final class AccountScreen: Screen {
    let screen: DetailScreen<AccountViewModel>
    var root: Widget { screen.root }
    let (entry, list): (Widget?, Widget?) = (nil, nil)
    private var question: AccountViewModel.Question?

    init(container: Container, window: Widget, open: @escaping @MainActor (Route) -> Void) {
        let texts = container.texts()
        let model = container.gitHubAccountViewModel()
        screen = DetailScreen(
            model,
            container: container,
            image: {
                $0.content.details?.profile.user.avatar
            },
            open: open
        ) {
            await $0.show()
        }
        gtk_box_append(screen.buttons.as(), button(texts(.signOut)) { [model] in model.askToSignOut() })
        screen.didApply = { [weak self] state in self?.ask(state.question, texts, in: window) }
    }

    func refresh() { screen.work.start { [model = screen.model] in await model.refresh() } }

    private func ask(_ question: AccountViewModel.Question?, _ texts: Texts, in window: Widget) {
        guard question != self.question else { return }
        self.question = question
        guard let question else { return }
        let dialog: Widget = adw_message_dialog_new(window.as(), question.title, question.text)
        adw_message_dialog_add_response(dialog.as(), "cancel", texts(.cancel))
        adw_message_dialog_add_response(dialog.as(), "signOut", question.actionTitle)
        adw_message_dialog_set_response_appearance(dialog.as(), "signOut", ADW_RESPONSE_DESTRUCTIVE)
        adw_message_dialog_set_close_response(dialog.as(), "cancel")
        connect(UnsafeMutableRawPointer(dialog), "response", .object) { [model = screen.model] response, _ in
            let isCancel = response.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } != "signOut"
            if isCancel { model.staySignedIn() } else { Task { await model.signOut() } }
        }
        gtk_window_present(dialog.as())
    }
}
