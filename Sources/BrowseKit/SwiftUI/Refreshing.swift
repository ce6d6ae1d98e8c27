#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import BrowseCore
import SwiftUI

extension View {
    /// Lets a person load the screen again: by pulling it down, or by Command-R.
    ///
    /// A Mac has a button in place of the gesture.
    func refreshing(_ texts: Texts, _ refresh: @escaping @MainActor () async -> Void) -> some View {
        // SwiftUI may cancel the action when it updates the view, and a refresh updates it. A task
        // of its own goes on.
        let content = refreshable { await Task { await refresh() }.value }
        #if os(macOS)
        return content.toolbar { RefreshButton(texts: texts, refresh: refresh) }
        #else
        // A keyboard needs a button, but a visible one isn't needed for touch.
        return content.background { RefreshButton(texts: texts, refresh: refresh).opacity(0).accessibilityHidden(true) }
        #endif
    }
}

private struct RefreshButton: View {
    let texts: Texts
    let refresh: @MainActor () async -> Void

    var body: some View {
        Button(texts(.refresh), systemImage: "arrow.clockwise") {
            Task { await refresh() }
        }
        .keyboardShortcut("r")
        .help(texts(.refresh))
    }
}
#endif
