import BrowseKit
import CDesktop

/// A dialog that signs in with a code, which the person types on a page of GitHub.
final class SignInDialog {
    let window: Widget
    let code = label("", "title-1")
    private let model: SignInViewModel<GitHub.User>
    private let text = label("", wraps: true)
    private let spinner: Widget = gtk_spinner_new()
    private let begin: Widget
    private let page: Widget
    private let copy: Widget
    private let work = Work()

    init(container: Container, parent: Widget, didEnd: @escaping () -> Void) {
        let texts = container.texts()
        let model = container.gitHubSignInViewModel()
        self.model = model
        begin = button(texts(.signInByCode), "suggested-action", "pill") { [work] in
            work.start { await model.signInByCode() }
        }
        page = button(texts(.openPage), "suggested-action", "pill") {
            if case .waitingForCode(let prompt) = model.state { openInBrowser(prompt.page, from: parent) }
        }
        copy = button(texts(.copyCode), "pill") { [code] in
            gdk_clipboard_set_text(gtk_widget_get_clipboard(code), gtk_label_get_text(code.opaque))
        }
        gtk_spinner_start(spinner.opaque)
        gtk_label_set_justify(text.opaque, GTK_JUSTIFY_CENTER)
        let content = box(GTK_ORIENTATION_VERTICAL, 18, margin: 24, [text, code, page, copy, spinner, begin])
        for part in [text, code] { gtk_widget_set_halign(part, GTK_ALIGN_CENTER) }
        window = adw_window_new()
        gtk_window_set_title(window.as(), texts(.signIn))
        gtk_window_set_transient_for(window.as(), parent.as())
        gtk_window_set_modal(window.as(), 1)
        gtk_window_set_default_size(window.as(), 420, 300)
        adw_window_set_content(window.as(), box(GTK_ORIENTATION_VERTICAL, 0, [adw_header_bar_new(), content]))
        connect(window, "close-request") { [work] in
            // The widgets are gone when a state arrives later.
            work.cancel()
            model.cancel()
            didEnd()
        }
        shortcut("Escape|<Control>w", in: window) { [window] in
            gtk_window_close(window.as())
            return true
        }
        work.follow(model.states) { [weak self] in self?.show($0) }
        gtk_window_present(window.as())
    }

    private func show(_ state: SignInViewModel<GitHub.User>.State) {
        var (typed, explanation, isBusy) = ("", "", false)
        switch state {
        case .waitingForCode(let prompt):
            explanation = [prompt.text, prompt.problem?.text].compactMap(\.self).joined(separator: "\n")
            (typed, isBusy) = (prompt.userCode, true)
        case .failed(let message), .signedOut(let message): explanation = "\(message.title)\n\(message.text)"
        case .signedIn: return gtk_window_close(window.as())
        case .askingForCode, .waitingForBrowser, .signingIn: isBusy = true
        case .idle: break
        }
        setText(code, typed)
        setText(text, explanation)
        for button in [page, copy] { setVisible(button, !typed.isEmpty) }
        // The button that had the focus is hidden now.
        if !typed.isEmpty, gtk_window_get_focus(window.as()) == nil { gtk_widget_grab_focus(page) }
        setVisible(spinner, isBusy)
        setVisible(begin, !isBusy)
    }
}
