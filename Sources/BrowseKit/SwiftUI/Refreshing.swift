#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import BrowseCore
import SwiftUI

extension View {
    /// Lets a person load the screen again: by pulling it down, or by Command-R.
    ///
    /// A Mac has a button in place of the gesture. The screen also loads again when the sign-in is
    /// closed that one of its messages asked for.
    func refreshing(
        _ texts: Texts,
        after messages: [Message?],
        _ refresh: @escaping @MainActor () async -> Void
    ) -> some View {
        modifier(RefreshModifier(texts: texts, isAsking: messages.contains { $0?.action == .signIn }, refresh: refresh))
    }
}

private struct RefreshModifier: ViewModifier {
    let texts: Texts
    /// Whether a message of the screen asks the person to sign in.
    let isAsking: Bool
    let refresh: @MainActor () async -> Void
    @State private var count = 0
    @Environment(\.signInCount) private var signInCount

    func body(content: Content) -> some View {
        // SwiftUI may cancel the action when it updates the view, and a refresh updates it. A task
        // of its own goes on.
        let view = content.environment(\.refreshCount, count).refreshable { await Task { await load() }.value }
            .onChange(of: signInCount) {
                if isAsking { Task { await load() } }
            }
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
