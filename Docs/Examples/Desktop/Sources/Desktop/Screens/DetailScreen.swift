import BrowseKit
import CDesktop

/// The screen of any entity, made from its facts.
final class DetailScreen<Model: DetailViewModel>: Screen {
    typealias Load = (Model) async -> Void

    let root: Widget
    let model: Model
    /// The loads that end with the screen.
    let work = Work()
    /// Called with each state that is shown.
    var didApply: (Model.State) -> Void = { _ in }
    /// Buttons of the screen, beside those of all details.
    let buttons: Widget
    /// What a screen shows below the facts.
    let footer = box(GTK_ORIENTATION_VERTICAL, 6, [])
    /// Returns why the footer couldn't be loaded.
    var footerMessage: (Model.State) -> Message? = { _ in nil }

    private let texts: Texts
    private let image: (Model.State) -> WebAddress?
    private let open: Open
    private let load: Load
    private let title = label("", "title-1", wraps: true)
    /// The age of a cached entity, or that it's gone.
    private let age = label("", "dim-label", wraps: true)
    private let avatar: Avatar
    private let facts: Widget = gtk_list_box_new()
    private let heart: Widget
    private let placeholder: Placeholder
    private let notice: MessageView
    private let footerFailure: MessageView
    private var shown: [Fact] = []

    /// - Parameters:
    ///   - open: Opens the route of a fact or message.
    ///   - load: Loads the entity, if it isn't loaded.
    ///   - image: Returns the image of the entity.
    init(
        _ model: Model,
        container: Container,
        open: @escaping Open,
        load: @escaping Load,
        image: @escaping (Model.State) -> WebAddress?
    ) {
        (self.model, self.image, self.open, self.load) = (model, image, open, load)
        texts = container.texts()
        avatar = Avatar(container, side: 96)
        let work = work
        let perform: (Message.Action) -> Void = { [model] action in
            work.start { if let route = await model.perform(action) { open(route) } }
        }
        notice = MessageView(texts, dismiss: { [model] in model.dismissNotice() }, perform: perform)
        footerFailure = MessageView(texts, perform: perform)
        heart = button("♡", "flat") { [model] in Changes.start { await model.toggleFavorite() } }
        let refresh = button(texts(.refresh), "flat", icon: "view-refresh-symbolic") { [model] in
            work.start { await model.refresh() }
        }
        buttons = box(GTK_ORIENTATION_HORIZONTAL, 6, [heart, refresh])
        gtk_widget_set_halign(buttons, GTK_ALIGN_CENTER)
        gtk_widget_add_css_class(facts, "boxed-list")
        gtk_list_box_set_selection_mode(facts.opaque, GTK_SELECTION_NONE)
        gtk_label_set_xalign(title.opaque, 0.5)
        gtk_label_set_justify(title.opaque, GTK_JUSTIFY_CENTER)
        let parts = [avatar.widget, title, age, buttons, facts, footer, footerFailure.root]
        let scrolled: Widget = gtk_scrolled_window_new()
        gtk_scrolled_window_set_child(scrolled.opaque, box(GTK_ORIENTATION_VERTICAL, 12, margin: 18, parts))
        gtk_scrolled_window_set_policy(scrolled.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        placeholder = Placeholder(for: scrolled, texts, perform: perform)
        root = kept(box(GTK_ORIENTATION_VERTICAL, 0, [placeholder.root, notice.root]))
        connect(gpointer(facts), "row-activated") { [weak self] row in
            guard let self, let row else { return }
            let index = Int(gtk_list_box_row_get_index(row.assumingMemoryBound(to: GtkListBoxRow.self)))
            if shown.indices.contains(index), let route = shown[index].route { self.open(route) }
        }
        work.follow(model.states) { [weak self] in self?.apply($0) }
    }

    isolated deinit { release(root) }

    var asksToSignIn: Bool {
        let messages = [model.state.content.status.message, model.state.notice, footerMessage(model.state)]
        return messages.contains { $0?.action == .signIn }
    }

    func refresh() { work.start { [model] in await model.refresh() } }

    func appear() { work.start { [model, load] in await load(model) } }

    private func apply(_ state: Model.State) {
        let content = state.content
        notice.show(state.notice)
        footerFailure.show(footerMessage(state))
        placeholder.show(content.status.message, isLoading: content.details == nil)
        setText(title, state.title)
        setName(facts, state.title)
        setText(age, content.age)
        avatar.show(image(state), name: state.title)
        setHeart(heart, content.isFavorite, of: state.title, texts)
        didApply(state)
        let new = content.details?.facts ?? []
        guard new != shown else { return }
        shown = new
        while let child = gtk_widget_get_first_child(facts) { gtk_list_box_remove(facts.opaque, child) }
        for fact in new { gtk_list_box_append(facts.opaque, row(fact)) }
    }

    private func row(_ fact: Fact) -> Widget {
        let row: Widget = adw_action_row_new()
        withMarkup(fact.value) { adw_preferences_row_set_title(row.as(), $0) }
        withMarkup(fact.label) { adw_action_row_set_subtitle(row.as(), $0) }
        setName(row, "\(fact.label): \(fact.value)")
        if fact.isMissing { gtk_widget_add_css_class(row, "dim-label") }
        gtk_list_box_row_set_activatable(row.as(), fact.route == nil ? 0 : 1)
        if fact.route != nil {
            adw_action_row_add_suffix(row.as(), gtk_image_new_from_icon_name("go-next-symbolic"))
        }
        return row
    }
}
