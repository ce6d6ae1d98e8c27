import BrowseKit
import CDesktop

/// A message beside content, with its button, and for a notice, one that closes it.
final class MessageView {
    let root: Widget
    private(set) var message: Message?
    private let title = label("", "heading", wraps: true)
    private let text = label("", wraps: true)
    private let action: Widget = gtk_button_new()

    /// - Parameter dismiss: Closes the message, for a notice.
    init(_ texts: Texts, dismiss: (() -> Void)? = nil, perform: @escaping (Message.Action) -> Void) {
        var parts = [box(GTK_ORIENTATION_VERTICAL, 2, [title, text]), action]
        if let dismiss { parts.append(button(texts(.close), icon: "window-close-symbolic", action: dismiss)) }
        root = box(GTK_ORIENTATION_HORIZONTAL, 12, margin: 6, parts)
        for part in parts { gtk_widget_set_valign(part, GTK_ALIGN_CENTER) }
        gtk_widget_set_hexpand(parts[0], 1)
        gtk_widget_add_css_class(root, "card")
        gtk_widget_add_css_class(root, "notice")
        setVisible(root, false)
        connect(action, "clicked") { [weak self] in if let action = self?.message?.action { perform(action) } }
    }

    func show(_ message: Message?) {
        guard message != self.message else { return }
        self.message = message
        setVisible(root, message != nil)
        setText(title, message?.title)
        setText(text, message?.text)
        setTitle(action, message?.action == .changeInput ? nil : message?.actionTitle)
    }
}

/// Content, or what takes its place: a spinner, or a message with its button.
final class Placeholder {
    let root: Widget = gtk_stack_new()
    private(set) var message: Message?
    /// The entry for messages about the input; `nil` if there is none.
    var input: Widget?
    private let page: Widget = adw_status_page_new()
    private let action: Widget = gtk_button_new()

    init(for content: Widget, _ texts: Texts, perform: @escaping (Message.Action) -> Void) {
        gtk_widget_add_css_class(action, "pill")
        gtk_widget_add_css_class(action, "suggested-action")
        gtk_widget_set_halign(action, GTK_ALIGN_CENTER)
        adw_status_page_set_child(page.opaque, action)
        gtk_stack_add_named(root.opaque, content, "content")
        let progress = progressView(GTK_ORIENTATION_VERTICAL, side: 32, texts)
        // It holds the focus of a button or row until there is content; GTK would move it to an entry.
        if let spinner = gtk_widget_get_first_child(progress) {
            gtk_widget_set_focusable(spinner, 1)
            setName(spinner, texts(.loading))
        }
        gtk_stack_add_named(root.opaque, progress, "progress")
        gtk_stack_add_named(root.opaque, page, "message")
        gtk_widget_set_vexpand(root, 1)
        connect(action, "clicked") { [weak self] in
            guard let self, let action = message?.action else { return }
            guard action == .changeInput, let input else { return perform(action) }
            gtk_widget_grab_focus(input)
        }
    }

    /// Shows a message, the progress, or the content.
    func show(_ message: Message?, isLoading: Bool) {
        let name = message != nil ? "message" : isLoading ? "progress" : "content"
        gtk_stack_set_visible_child_name(root.opaque, name)
        guard let message, message != self.message else { return self.message = message }
        self.message = message
        adw_status_page_set_title(page.opaque, message.title)
        withMarkup(message.text) { adw_status_page_set_description(page.opaque, $0) }
        setTitle(action, message.action == .changeInput && input == nil ? nil : message.actionTitle)
    }
}
