import BrowseKit
import CDesktop

/// The form of any search, made from the fields of its query.
@MainActor
final class SearchForm<Model: SearchViewModel> {
    let root = box(GTK_ORIENTATION_VERTICAL, 4, [])
    /// The first entry.
    private(set) var entry: Widget?

    private let line = box(GTK_ORIENTATION_HORIZONTAL, 6, [])
    private let summary = label("", "dim-label", "caption")
    private let model: Model
    private let work: Work
    private var fields: [QueryField<Model.State.Query>] = []
    private var controls: [(field: QueryField<Model.State.Query>, widget: Widget)] = []

    init(_ model: Model, work: Work) {
        (self.model, self.work) = (model, work)
        gtk_box_append(root.as(), line)
        gtk_box_append(root.as(), summary)
    }

    func show(_ state: Model.State) {
        if state.fields != fields { build(state.fields) }
        setText(summary, state.hint ?? state.summary)
        for (field, widget) in controls {
            let value = field.value(in: state.query)
            switch field.input {
            case .text: setEntry(widget, value)
            case .choice(let choices):
                guard let index = choices.firstIndex(where: { $0.id == value }) else { continue }
                if gtk_drop_down_get_selected(widget.opaque) != guint(index) {
                    gtk_drop_down_set_selected(widget.opaque, guint(index))
                }
            }
        }
    }

    private func set(_ value: String, in field: QueryField<Model.State.Query>) {
        let query = field.setting(value, in: model.query)
        if query != model.query { model.query = query }
    }

    /// Builds the form again if a choice was added; the texts stay where they are in the query.
    private func build(_ fields: [QueryField<Model.State.Query>]) {
        self.fields = fields
        while let child = gtk_widget_get_first_child(line) { gtk_box_remove(line.as(), child) }
        controls = fields.map { field in (field, control(for: field)) }
        entry = controls.first { $0.field.input == .text }?.widget
        for control in controls { gtk_box_append(line.as(), control.widget) }
    }

    private func control(for field: QueryField<Model.State.Query>) -> Widget {
        guard case .choice(let choices) = field.input else {
            let entry = searchEntry(field.title) { [weak self] in self?.set($0, in: field) }
            connect(entry, "activate") { [model, work] in work.start { await model.submit() } }
            return entry
        }
        var titles = choices.map { UnsafePointer<CChar>(g_strdup($0.title)) } + [nil]
        let dropDown: Widget = gtk_drop_down_new_from_strings(&titles)
        for title in titles { g_free(UnsafeMutableRawPointer(mutating: title)) }
        setName(dropDown, field.title)
        gtk_widget_set_tooltip_text(dropDown, field.title)
        connect(dropDown, "notify::selected") { [weak self] in
            let index = Int(gtk_drop_down_get_selected(dropDown.opaque))
            if choices.indices.contains(index) { self?.set(choices[index].id, in: field) }
        }
        return dropDown
    }
}
