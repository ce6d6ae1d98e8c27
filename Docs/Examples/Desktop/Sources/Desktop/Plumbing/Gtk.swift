// Widgets, signals, and tasks: what a binding for Swift would have.
import BrowseKit
import CDesktop
import Foundation

typealias Widget = UnsafeMutablePointer<GtkWidget>

extension UnsafeMutablePointer where Pointee == GtkWidget {
    /// The same object as an instance of a class whose C struct is public.
    func `as`<T>(_ type: T.Type = T.self) -> UnsafeMutablePointer<T> {
        UnsafeMutableRawPointer(self).assumingMemoryBound(to: type)
    }

    /// The same object as an instance of a class whose C struct isn't public.
    var opaque: OpaquePointer { OpaquePointer(self) }
}

/// A closure that GTK owns.
@MainActor
private final class Handler {
    let call: (UnsafeMutableRawPointer?) -> Bool

    private init(_ call: @escaping (UnsafeMutableRawPointer?) -> Bool) { self.call = call }

    static func retained(_ call: @escaping (UnsafeMutableRawPointer?) -> Bool) -> gpointer {
        Unmanaged.passRetained(Handler(call)).toOpaque()
    }

    nonisolated static func release(_ data: gpointer?) {
        if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
    }

    /// GTK calls on the main thread, which is that of the main actor.
    nonisolated static func run(_ data: gpointer?, _ argument: UnsafeMutableRawPointer?) -> gboolean {
        nonisolated(unsafe) let (data, argument) = (data, argument)
        return MainActor.assumeIsolated {
            guard let data else { return 0 }
            return Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue().call(argument) ? 1 : 0
        }
    }
}

/// Calls a closure with the first argument of each signal of an object, which owns the closure.
@MainActor
func connect(
    _ object: UnsafeMutableRawPointer,
    _ signal: String,
    _ call: @escaping @MainActor (UnsafeMutableRawPointer?) -> Void
) {
    // Swapped, the closure comes first for all signals. `close-request` uses the result: FALSE closes the window.
    let callback: @convention(c) (gpointer?, gpointer?) -> gboolean = { Handler.run($0, $1) }
    let data = Handler.retained { argument in
        call(argument)
        return false
    }
    let function = unsafeBitCast(callback, to: GCallback.self)
    g_signal_connect_data(object, signal, function, data, { data, _ in Handler.release(data) }, G_CONNECT_SWAPPED)
}

@MainActor
func connect(_ widget: Widget, _ signal: String, _ call: @escaping @MainActor () -> Void) {
    connect(UnsafeMutableRawPointer(widget), signal) { _ in call() }
}

/// Calls a closure for a key, such as `<Control>f`, before the widgets inside get it.
@MainActor
func shortcut(_ keys: String, in widget: Widget, _ call: @escaping @MainActor () -> Bool) {
    let data = Handler.retained { _ in call() }
    let action = gtk_callback_action_new({ _, _, data in Handler.run(data, nil) }, data, { Handler.release($0) })
    let controller: OpaquePointer = gtk_shortcut_controller_new()
    gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
    gtk_shortcut_controller_add_shortcut(
        controller,
        gtk_shortcut_new(gtk_shortcut_trigger_parse_string(keys), action)
    )
    gtk_widget_add_controller(widget, controller)
}

@MainActor
func label(_ text: String = "", _ classes: String..., wraps: Bool = false) -> Widget {
    let label: Widget = gtk_label_new(nil)
    setText(label, text)
    gtk_label_set_xalign(label.opaque, 0)
    gtk_label_set_wrap(label.opaque, wraps ? 1 : 0)
    if !wraps { gtk_label_set_ellipsize(label.opaque, PANGO_ELLIPSIZE_END) }
    for name in classes { gtk_widget_add_css_class(label, name) }
    return label
}

@MainActor
func button(_ title: String, _ classes: String..., action: @escaping @MainActor () -> Void) -> Widget {
    let button: Widget = gtk_button_new_with_label(title)
    gtk_widget_set_halign(button, GTK_ALIGN_CENTER)
    for name in classes { gtk_widget_add_css_class(button, name) }
    setName(button, title)
    connect(button, "clicked", action)
    return button
}

/// A button with an icon, whose name is read to people who can't see it, and shown at the pointer.
@MainActor
func iconButton(_ icon: String, _ name: String, action: @escaping @MainActor () -> Void) -> Widget {
    let button: Widget = gtk_button_new_from_icon_name(icon)
    setName(button, name)
    gtk_widget_set_tooltip_text(button, name)
    connect(button, "clicked", action)
    return button
}

@MainActor
func box(_ orientation: GtkOrientation, _ spacing: Int32 = 6, margin: Int32 = 0, _ children: [Widget]) -> Widget {
    let box: Widget = gtk_box_new(orientation, spacing)
    for child in children { gtk_box_append(box.as(), child) }
    gtk_widget_set_margin_start(box, margin)
    gtk_widget_set_margin_end(box, margin)
    gtk_widget_set_margin_top(box, margin)
    gtk_widget_set_margin_bottom(box, margin)
    return box
}

/// Keeps a widget for a screen, whose states can arrive when GTK has removed the widget.
@MainActor
func kept(_ widget: Widget) -> Widget {
    g_object_ref_sink(widget)
    return widget
}

@MainActor
func release(_ widget: Widget) { g_object_unref(widget) }

/// Sets what a screen reader reads.
@MainActor
func setName(_ widget: Widget, _ name: String, of thing: String? = nil) {
    desktop_set_name(UnsafeMutableRawPointer(widget), name, thing)
}

/// Sets the text of a label, which would leave a gap without one.
@MainActor
func setText(_ label: Widget, _ text: String?) {
    gtk_label_set_text(label.opaque, text ?? "")
    setVisible(label, text?.isEmpty == false)
}

/// Sets the title of a button, which is hidden without one.
@MainActor
func setTitle(_ button: Widget, _ title: String?, name: String? = nil, of thing: String? = nil) {
    gtk_button_set_label(button.as(), title ?? "")
    setName(button, name ?? title ?? "", of: thing)
    setVisible(button, title != nil)
}

/// Passes a text to a function that expects markup.
@MainActor
func withMarkup(_ text: String, _ set: (UnsafePointer<CChar>?) -> Void) {
    let markup = g_markup_escape_text(text, -1)
    set(markup)
    g_free(markup)
}

@MainActor
func setVisible(_ widget: Widget, _ isVisible: Bool) { gtk_widget_set_visible(widget, isVisible ? 1 : 0) }

/// Opens a page in the browser. Its text can lack a scheme, as blogs in profiles do.
@MainActor
func openInBrowser(_ page: WebAddress, from window: Widget) {
    if let url = page.url { gtk_show_uri(window.as(), url.absoluteString, 0) }
}

@MainActor
func text(of entry: Widget) -> String { String(cString: gtk_editable_get_text(entry.opaque)) }

/// Sets the text of an entry if it differs, since that moves the cursor to its start.
@MainActor
func setEntry(_ entry: Widget, _ newText: String) {
    guard text(of: entry) != newText else { return }
    gtk_editable_set_text(entry.opaque, newText)
    gtk_editable_set_position(entry.opaque, -1)
}

/// An entry for a text of a view model.
@MainActor
func searchEntry(_ name: String, onChange: @escaping @MainActor (String) -> Void) -> Widget {
    let entry: Widget = gtk_search_entry_new()
    desktop_set_text(UnsafeMutableRawPointer(entry), "placeholder-text", name)
    setName(entry, name)
    gtk_widget_set_hexpand(entry, 1)
    connect(entry, "changed") { onChange(text(of: entry)) }
    return entry
}

/// The loads of a screen, which end with it. A task that loads retains its view model, so that a
/// closed screen would go on loading.
@MainActor
final class Work {
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var count = 0

    func start(_ work: @escaping @MainActor () async -> Void) {
        count += 1
        tasks[count] = Task { [weak self, count] in
            await work()
            self?.tasks[count] = nil
        }
    }

    isolated deinit { for task in tasks.values { task.cancel() } }
}

/// A decoded image.
///
/// Unchecked, because GDK's textures are immutable, and the count of their references is atomic.
final class Texture: @unchecked Sendable {
    let pointer: OpaquePointer

    private init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

    @concurrent
    static func decoded(_ data: Data) async -> Texture? {
        let bytes = data.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
        defer { g_bytes_unref(bytes) }
        return gdk_texture_new_from_bytes(bytes, nil).map(Texture.init)
    }
}

/// An avatar that follows an image's view model, with initials until it's loaded.
@MainActor
final class Avatar {
    let widget: Widget
    let image: RemoteImageViewModel
    private var reader: Task<Void, Never>?

    init(_ container: Container, side: Int32) {
        widget = kept(adw_avatar_new(side, "", 1))
        image = container.remoteImageViewModel()
        reader = Task { [weak self, states = image.states] in
            for await state in states { await self?.show(state) }
        }
    }

    isolated deinit {
        reader?.cancel()
        release(widget)
    }

    /// Shows an image, or the initials of a name.
    func show(_ request: ImageRequest?, name: String) {
        adw_avatar_set_text(widget.opaque, name)
        let isOther = request != image.request
        image.request = request
        guard isOther else { return }
        // States arrive a turn later, and equal ones once: an image that is cached is shown here.
        adw_avatar_set_custom_image(widget.opaque, nil)
        Task { await show(image.state) }
    }

    private func show(_ state: RemoteImageViewModel.State) async {
        guard case .loaded(let encoded) = state else { return adw_avatar_set_custom_image(widget.opaque, nil) }
        let texture = await Texture.decoded(encoded.data)
        guard image.state == state else { return }
        guard let texture else { return await image.decodingFailed() }
        adw_avatar_set_custom_image(widget.opaque, texture.pointer)
    }
}
