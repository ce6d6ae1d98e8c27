import BrowseKit
import CDesktop

/// The form of any search, made from the fields of its query, which don't change.
final class SearchForm<Model: SearchViewModel> {
    let root = box(GTK_ORIENTATION_VERTICAL, 4, [])
    /// The first entry.
    private(set) var entry: Widget?

    private let summary = label("", "dim-label", "caption")
    private let model: Model
    private let work: Work
    private var controls: [(field: QueryField<Model.State.Query>, widget: Widget)] = []

    init(_ model: Model, work: Work) {
        (self.model, self.work) = (model, work)
        controls = model.state.fields.map { field in (field, control(for: field)) }
        entry = controls.first { $0.field.input == .text }?.widget
        gtk_box_append(root.as(), box(GTK_ORIENTATION_HORIZONTAL, 6, controls.map(\.widget)))
        gtk_box_append(root.as(), summary)
    }

    func show(_ state: Model.State) {
        setText(summary, state.hint ?? state.summary)
        for (field, widget) in controls {
            let value = field.value(in: state.query)
            switch field.input {
            case .text: setEntry(widget, value)
            case .choice(let choices):
                guard let index = choices.firstIndex(where: { $0.id == value }) else { continue }
                gtk_drop_down_set_selected(widget.opaque, guint(index))
            }
        }
    }

    private func control(for field: QueryField<Model.State.Query>) -> Widget {
        guard case .choice(let choices) = field.input else {
            let entry = searchEntry(field.title) { [model] in model.query = field.setting($0, in: model.query) }
            connect(entry, "activate") { [model, work] in work.start { await model.submit() } }
            return entry
        }
        let titles: OpaquePointer = gtk_string_list_new(nil)
        for choice in choices { gtk_string_list_append(titles, choice.title) }
        let dropDown: Widget = gtk_drop_down_new(titles, nil)
        setName(dropDown, field.title)
        gtk_widget_set_tooltip_text(dropDown, field.title)
        connect(dropDown, "notify::selected") { [model] in
            let index = Int(gtk_drop_down_get_selected(dropDown.opaque))
            if choices.indices.contains(index) { model.query = field.setting(choices[index].id, in: model.query) }
        }
        return dropDown
    }
}
