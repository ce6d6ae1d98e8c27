#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import BrowseCore
import SwiftUI

extension View {
    /// Lets a person load the screen again: by pulling it down, or by Command-R.
    ///
    /// A Mac has a button in place of the gesture.
    func refreshing(_ texts: Texts, _ refresh: @escaping @MainActor () async -> Void) -> some View {
        modifier(RefreshModifier(texts: texts, refresh: refresh))
    }
}

extension EnvironmentValues {
    /// The number of times a person has loaded the screen again.
    ///
    /// A refresh whose rows are equal changes nothing else that their failed images could notice.
    @Entry var refreshCount: Int = 0
}

private struct RefreshModifier: ViewModifier {
    let texts: Texts
    let refresh: @MainActor () async -> Void
    @State private var count = 0

    func body(content: Content) -> some View {
        // SwiftUI may cancel the action when it updates the view, and a refresh updates it. A task
        // of its own goes on.
        let view = content.environment(\.refreshCount, count).refreshable { await Task { await load() }.value }
        #if os(macOS)
        view.toolbar { button }
        #else
        // A keyboard needs a button, but a visible one isn't needed for touch.
        view.background { button.opacity(0).accessibilityHidden(true) }
        #endif
    }

    private var button: some View {
        Button(texts(.refresh), systemImage: "arrow.clockwise") {
            Task { await load() }
        }
        .keyboardShortcut("r")
        .help(texts(.refresh))
    }

    private func load() async {
        await refresh()
        count += 1
    }
}
#endif
