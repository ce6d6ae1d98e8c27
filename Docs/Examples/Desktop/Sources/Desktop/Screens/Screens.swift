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
    static func starCount(_ count: String) -> Phrase {
        Phrase("desktop.stars", "Stars: \(count)", ko: "별표: \(count)")
    }
    static let copyCode = Phrase("desktop.copyCode", "Copy Code", ko: "코드 복사")
}

/// Opens the screen or page of a route.
typealias Open = (Route) -> Void

typealias ProfileScreen = DetailScreen<UserProfileViewModel>
typealias RepoScreen = DetailScreen<RepoDetailViewModel>

/// A screen in the window.
protocol Screen: AnyObject {
    /// The widget of the screen.
    var root: Widget { get }
    /// The entry for Ctrl+F; `nil` if there is none.
    var entry: Widget? { get }
    /// The rows, to which the arrow down moves from the entry; `nil` if there are none.
    var list: Widget? { get }
    /// Whether a message of the screen asks the person to sign in.
    var asksToSignIn: Bool { get }
    /// Loads the screen again, for F5.
    func refresh()
    /// Loads what isn't loaded. Called whenever the screen appears.
    func appear()
}

extension Screen {
    var entry: Widget? { nil }
    var list: Widget? { nil }
}

extension ListScreen {
    /// Adds an entry for the filter.
    fileprivate func addFilter<Selection, Row>(_ texts: Texts) where Model == PagedListViewModel<Selection, Row> {
        let filter = searchEntry(texts(.filter)) { [model] in if model.filter != $0 { model.filter = $0 } }
        gtk_box_append(inputs.as(), filter)
        entry = filter
        // The button of a message clears the filter.
        didApply = { setEntry(filter, $0.filter) }
    }
}

extension ListScreen where Model: SearchViewModel {
    /// Adds the fields of the query.
    fileprivate func addForm() {
        let form = SearchForm(model, work: work)
        gtk_box_append(inputs.as(), form.root)
        (entry, placeholder.input) = (form.entry, form.entry)
        didApply = form.show
    }
}

extension ListScreen where Model == FollowerListViewModel {
    convenience init(_ list: GitHub.FollowList, container: Container, open: @escaping Open) {
        let (texts, model) = (container.texts(), container.followerListViewModel())
        self.init(model, container: container, open: open) {
            CellContent(title: $0.login.rawValue, image: $0.avatar, isFavorite: $0.isFavorite)
        }
        let user: Widget = gtk_entry_new()
        gtk_entry_set_placeholder_text(user.as(), texts(.username))
        setName(user, texts(.username))
        gtk_box_append(inputs.as(), user)
        placeholder.input = user
        addFilter(texts)
        let search = container.followerSearchViewModel()
        let hint = label("", "error", "caption", wraps: true)
        gtk_box_append(gtk_widget_get_parent(inputs).as(), hint)
        work.follow(search.states) { setText(hint, $0.hint) }
        connect(user, "changed") { search.query = text(of: user) }
        connect(user, "activate") { [work] in
            guard case .gitHub(.followList(let list))? = search.submit()?.screen else { return }
            work.start { await model.show(list) }
        }
        work.start { await model.showIfNeeded(list) }
    }
}

extension CellContent {
    init(_ row: RepoRow, title: String, texts: Texts) {
        self.init(title: title, subtitle: row.summary, image: row.owner?.avatar)
        isFavorite = row.isFavorite
        star = row.star(texts)
    }
}

extension ListScreen where Model == RepoListViewModel {
    convenience init(_ list: GitHub.RepoList, container: Container, open: @escaping Open) {
        let (texts, model) = (container.texts(), container.repoListViewModel())
        self.init(model, container: container, open: open) {
            CellContent($0, title: $0.name, texts: texts)
        }
        addFilter(texts)
        work.start { await model.showIfNeeded(list) }
    }
}

extension ListScreen where Model == RepoSearchViewModel {
    convenience init(container: Container, open: @escaping Open) {
        let texts = container.texts()
        self.init(container.repoSearchViewModel(), container: container, open: open) {
            CellContent($0, title: $0.fullName, texts: texts)
        }
        addForm()
    }
}

extension ListScreen where Model == FavoriteListViewModel {
    convenience init(container: Container, open: @escaping Open) {
        let model = container.favoriteListViewModel()
        self.init(model, container: container, open: open) {
            CellContent(title: $0.favorite.title, image: $0.favorite.image, isFavorite: $0.isFavorite)
        }
        addForm()
        // GTK 4.12 has sections; before, the first row of each has a header.
        sectionTitle = { position in
            model.state.sections.first { $0.positions.lowerBound == position }?.title
        }
        work.start { await model.showIfNeeded() }
    }
}

extension ProfileScreen {
    convenience init(container: Container, open: @escaping Open, load: @escaping Load) {
        let (texts, model) = (container.texts(), container.userProfileViewModel())
        self.init(model, container: container, open: open, load: load) { $0.content.details?.profile.user.avatar }
        let followers = button(texts(.followers)) { if let route = model.showFollowers() { open(route) } }
        let repos = button(texts(RepoSearchViewModel.title)) { if let route = model.showRepos() { open(route) } }
        for button in [followers, repos] { gtk_box_append(buttons.as(), button) }
    }
}

extension RepoScreen {
    convenience init(container: Container, open: @escaping Open, load: @escaping Load) {
        let (texts, model) = (container.texts(), container.repoDetailViewModel())
        self.init(model, container: container, open: open, load: load) { $0.row?.owner?.avatar }
        let star = button("☆", "flat") { Changes.start { if let route = await model.toggleStar() { open(route) } } }
        gtk_box_append(buttons.as(), star)
        let readme = ReadmeView(texts)
        gtk_box_append(footer.as(), readme.root)
        footerMessage = { $0.readme.status.message }
        didApply = { state in
            readme.show(state.readme)
            setStar(star, state.row?.star(texts), of: state.title, texts)
        }
    }
}

/// The README of a repository, as plain text.
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

    func show(_ state: DetailState<GitHub.Readme?>) {
        let readme = state.details ?? nil
        let note =
            switch state.status {
            // A repository that is gone has none to load, and a failure has a message with its button.
            case .idle, .failed: ""
            case .loaded(nil): texts(.noReadme)
            case .loaded(let readme?): readme.isTruncated ? texts(.readmeTruncated) : ""
            case .loading: texts(.loading)
            }
        setText(status, note)
        guard shown != readme else { return }
        shown = readme
        // GTK takes no zero bytes.
        let text = readme?.text.replacing("\0", with: "\u{FFFD}") ?? ""
        gtk_text_buffer_set_text(gtk_text_view_get_buffer(self.text.as()), text, Int32(clamping: text.utf8.count))
        setVisible(self.text, !text.isEmpty)
    }
}

extension DetailScreen where Model == AccountViewModel {
    convenience init(container: Container, window: Widget, open: @escaping Open) {
        let (texts, model) = (container.texts(), container.gitHubAccountViewModel())
        self.init(model, container: container, open: open) {
            await $0.show()
        } image: {
            $0.content.details?.profile.user.avatar
        }
        let signOut = button(texts(.signOut)) { [weak self] in
            model.askToSignOut()
            if let question = model.state.question { self?.ask(question, texts, in: window) }
        }
        // Below the details, because an account that can't be loaded can sign out, too.
        gtk_box_append(root.as(), signOut)
        let session = container.gitHubSession()
        didApply = { _ in
            switch session.current {
            case .restoring, .signedOut: setVisible(signOut, false)
            case .signingIn, .unidentified, .identified, .ready: setVisible(signOut, true)
            }
        }
    }

    private func ask(_ question: AccountViewModel.Question, _ texts: Texts, in window: Widget) {
        let dialog: Widget = adw_message_dialog_new(window.as(), question.title, question.text)
        adw_message_dialog_add_response(dialog.as(), "cancel", texts(.cancel))
        adw_message_dialog_add_response(dialog.as(), "signOut", question.actionTitle)
        adw_message_dialog_set_response_appearance(dialog.as(), "signOut", ADW_RESPONSE_DESTRUCTIVE)
        connect(gpointer(dialog), "response") { [model] response in
            let isCancel = response.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } != "signOut"
            if isCancel { model.staySignedIn() } else { Changes.start { await model.signOut() } }
        }
        gtk_window_present(dialog.as())
    }
}
