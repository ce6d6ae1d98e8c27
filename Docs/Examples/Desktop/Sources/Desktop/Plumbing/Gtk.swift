// Widgets, signals, and tasks: what a binding for Swift would have.
import BrowseKit
import CDesktop
import Foundation

typealias Widget = UnsafeMutablePointer<GtkWidget>

extension UnsafeMutablePointer where Pointee == GtkWidget {
    /// The same object as an instance of a class whose C struct is public.
    func `as`<T>() -> UnsafeMutablePointer<T> { gpointer(self).assumingMemoryBound(to: T.self) }

    /// The same object as an instance of a class whose C struct isn't public.
    var opaque: OpaquePointer { OpaquePointer(self) }
}

/// A closure that GTK owns.
private final class Handler {
    let call: (gpointer?) -> Bool

    private init(_ call: @escaping (gpointer?) -> Bool) { self.call = call }

    static func retained(_ call: @escaping (gpointer?) -> Bool) -> gpointer {
        Unmanaged.passRetained(Handler(call)).toOpaque()
    }

    nonisolated static func release(_ data: gpointer?) {
        if let data { Unmanaged<AnyObject>.fromOpaque(data).release() }
    }

    /// GTK calls on the main thread, which is that of the main actor.
    nonisolated static func run(_ data: gpointer?, _ argument: gpointer?) -> gboolean {
        nonisolated(unsafe) let (data, argument) = (data, argument)
        return MainActor.assumeIsolated {
            guard let data else { return 0 }
            return Unmanaged<Handler>.fromOpaque(data).takeUnretainedValue().call(argument) ? 1 : 0
        }
    }
}

/// Calls a closure with the first argument of each signal of an object, which owns the closure.
func connect(_ object: gpointer, _ signal: String, _ call: @escaping (gpointer?) -> Void) {
    // Swapped, the closure comes first for all signals. `close-request` uses the result: FALSE closes the window.
    let callback: @convention(c) (gpointer?, gpointer?) -> gboolean = { Handler.run($0, $1) }
    let data = Handler.retained { argument in
        call(argument)
        return false
    }
    let function = unsafeBitCast(callback, to: GCallback.self)
    g_signal_connect_data(object, signal, function, data, { data, _ in Handler.release(data) }, G_CONNECT_SWAPPED)
}

func connect(_ widget: Widget, _ signal: String, _ call: @escaping () -> Void) {
    connect(gpointer(widget), signal) { _ in call() }
}

/// Calls a closure for a key, such as `<Control>f`, that no input method and no widget inside uses.
/// The closure returns whether it uses the key.
func shortcut(_ keys: String, in widget: Widget, _ call: @escaping () -> Bool) {
    let data = Handler.retained { _ in call() }
    let action = gtk_callback_action_new({ _, _, data in Handler.run(data, nil) }, data, { Handler.release($0) })
    let controller: OpaquePointer = gtk_shortcut_controller_new()
    let trigger = gtk_shortcut_trigger_parse_string(keys)
    gtk_shortcut_controller_add_shortcut(controller, gtk_shortcut_new(trigger, action))
    gtk_widget_add_controller(widget, controller)
}

func label(_ text: String = "", _ classes: String..., wraps: Bool = false) -> Widget {
    let label: Widget = gtk_label_new(nil)
    setText(label, text)
    gtk_label_set_xalign(label.opaque, 0)
    gtk_label_set_wrap(label.opaque, wraps ? 1 : 0)
    // Otherwise, the longest word would be the least width of the window.
    gtk_label_set_wrap_mode(label.opaque, PANGO_WRAP_WORD_CHAR)
    if !wraps { gtk_label_set_ellipsize(label.opaque, PANGO_ELLIPSIZE_END) }
    for name in classes { gtk_widget_add_css_class(label, name) }
    return label
}

/// A button with a title, or with an icon. Its title is then read to people who can't see it, and
/// shown at the pointer.
func button(_ title: String, _ classes: String..., icon: String? = nil, action: @escaping () -> Void) -> Widget {
    let button: Widget = icon.map { gtk_button_new_from_icon_name($0) } ?? gtk_button_new_with_label(title)
    gtk_widget_set_halign(button, GTK_ALIGN_CENTER)
    for name in classes { gtk_widget_add_css_class(button, name) }
    setName(button, title)
    if icon != nil { gtk_widget_set_tooltip_text(button, title) }
    connect(button, "clicked", action)
    return button
}

func box(_ orientation: GtkOrientation, _ spacing: Int32 = 6, margin: Int32 = 0, _ children: [Widget]) -> Widget {
    let box: Widget = gtk_box_new(orientation, spacing)
    for child in children { gtk_box_append(box.as(), child) }
    gtk_widget_set_margin_start(box, margin)
    gtk_widget_set_margin_end(box, margin)
    gtk_widget_set_margin_top(box, margin)
    gtk_widget_set_margin_bottom(box, margin)
    return box
}

/// A spinner, and its meaning.
func progressView(_ orientation: GtkOrientation, side: Int32, _ texts: Texts) -> Widget {
    let spinner: Widget = gtk_spinner_new()
    gtk_spinner_start(spinner.opaque)
    gtk_widget_set_size_request(spinner, side, side)
    let progress = box(orientation, 9, margin: 6, [spinner, label(texts(.loading), "dim-label")])
    gtk_widget_set_halign(progress, GTK_ALIGN_CENTER)
    gtk_widget_set_valign(progress, GTK_ALIGN_CENTER)
    return progress
}

/// Keeps a widget for a screen, whose states can arrive when GTK has removed the widget.
func kept(_ widget: Widget) -> Widget {
    g_object_ref_sink(widget)
    return widget
}

func release(_ widget: Widget) { g_object_unref(widget) }

/// Sets what a screen reader reads.
func setName(_ widget: Widget, _ name: String, of thing: String? = nil) {
    desktop_set_name(gpointer(widget), name, thing)
}

/// Sets the text of a label, which would leave a gap without one.
func setText(_ label: Widget, _ text: String?) {
    gtk_label_set_text(label.opaque, text ?? "")
    setVisible(label, text?.isEmpty == false)
}

/// Sets the title of a button, which is hidden without one.
func setTitle(_ button: Widget, _ title: String?, name: String? = nil, of thing: String? = nil) {
    gtk_button_set_label(button.as(), title ?? "")
    setName(button, name ?? title ?? "", of: thing)
    setVisible(button, title != nil)
}

/// Passes a text to a function that expects markup.
func withMarkup(_ text: String, _ set: (UnsafePointer<CChar>?) -> Void) {
    let markup = g_markup_escape_text(text, -1)
    set(markup)
    g_free(markup)
}

func setVisible(_ widget: Widget, _ isVisible: Bool) { gtk_widget_set_visible(widget, isVisible ? 1 : 0) }

/// Opens a page in the browser. Its text can lack a scheme, as blogs in profiles do.
func openInBrowser(_ page: WebAddress, from window: Widget) {
    if let url = page.url { gtk_show_uri(window.as(), url.absoluteString, 0) }
}

func text(of entry: Widget) -> String { String(cString: gtk_editable_get_text(entry.opaque)) }

/// Sets the text of an entry if it differs, since that moves the cursor to its start.
func setEntry(_ entry: Widget, _ newText: String) {
    guard text(of: entry) != newText else { return }
    gtk_editable_set_text(entry.opaque, newText)
    gtk_editable_set_position(entry.opaque, -1)
}

/// An entry for a text of a view model.
func searchEntry(_ name: String, onChange: @escaping (String) -> Void) -> Widget {
    let entry: Widget = gtk_search_entry_new()
    desktop_set_text(gpointer(entry), "placeholder-text", name)
    setName(entry, name)
    gtk_widget_set_hexpand(entry, 1)
    connect(entry, "changed") { onChange(text(of: entry)) }
    return entry
}

/// The loads of a screen, which end with it. A task that loads retains its view model, so that a
/// closed screen would go on loading.
final class Work {
    private var tasks: [Int: Task<Void, Never>] = [:]
    private var count = 0

    func start(_ work: @escaping () async -> Void) {
        count += 1
        tasks[count] = Task { [weak self, count] in
            await work()
            self?.tasks[count] = nil
        }
    }

    /// Shows the states of a view model.
    func follow<State>(_ states: States<State>, _ show: @escaping (State) async -> Void) {
        start { for await state in states where !Task.isCancelled { await show(state) } }
    }

    func cancel() { for task in tasks.values { task.cancel() } }

    isolated deinit { cancel() }
}

/// Changes that a person has made, such as stars. They go on when their screen or the window is closed.
enum Changes {
    private static var tasks: [Int: Task<Void, Never>] = [:]
    private static var count = 0

    static func start(_ change: @escaping () async -> Void) {
        count += 1
        let number = count
        tasks[number] = Task {
            await change()
            tasks[number] = nil
        }
    }

    /// Returns when all have ended.
    static func finish() async {
        while let task = tasks.values.first { await task.value }
    }
}

/// A decoded image.
///
/// Unchecked, because GDK's textures are immutable, and the count of their references is atomic.
nonisolated final class Texture: @unchecked Sendable {
    let pointer: OpaquePointer

    private init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { g_object_unref(gpointer(pointer)) }

    @concurrent
    static func decoded(_ data: Data) async -> Texture? {
        let bytes = data.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
        defer { g_bytes_unref(bytes) }
        return gdk_texture_new_from_bytes(bytes, nil).map(Texture.init)
    }
}

/// An avatar that follows an image's view model, with initials until it's loaded.
final class Avatar {
    let widget: Widget
    let image: RemoteImageViewModel
    private let work = Work()
    private var address: WebAddress?

    init(_ container: Container, side: Int32) {
        widget = kept(adw_avatar_new(side, "", 1))
        image = container.remoteImageViewModel()
        work.follow(image.states) { [weak self] in await self?.show($0) }
        // The window is on another monitor, where the image has too few or too many pixels.
        connect(widget, "notify::scale-factor") { [weak self] in self?.load() }
    }

    isolated deinit { release(widget) }

    /// Shows an image, or the initials of a name.
    func show(_ address: WebAddress?, name: String) {
        adw_avatar_set_text(widget.opaque, name)
        self.address = address
        load()
    }

    /// Loads the image in the pixels of the monitor.
    private func load() {
        let side = adw_avatar_get_size(widget.opaque) * gtk_widget_get_scale_factor(widget)
        let request = address.map { ImageRequest($0, side: Int(side)) }
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
        guard let texture else { return await image.decodingFailed(of: encoded) }
        adw_avatar_set_custom_image(widget.opaque, texture.pointer)
    }
}
