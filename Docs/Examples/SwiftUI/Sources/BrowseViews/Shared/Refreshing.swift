import SwiftUI

extension View {
    /// Lets a person load the screen again: by pulling it down, or on a Mac, by a button and Command-R.
    func refreshing(_ refresh: @escaping @MainActor () async -> Void) -> some View {
        // SwiftUI may cancel the action when it updates the view, and a refresh updates it. A task of its own goes on.
        let content = refreshable { await Task { await refresh() }.value }
        #if os(macOS)
        return content.toolbar { RefreshButton(refresh: refresh) }
        #else
        return content
        #endif
    }
}

#if os(macOS)
private struct RefreshButton: View {
    let refresh: @MainActor () async -> Void

    @Environment(\.texts) private var texts

    var body: some View {
        Button(texts(.refresh), systemImage: "arrow.clockwise") {
            Task { await refresh() }
        }
        .keyboardShortcut("r")
        .help(texts(.refresh))
    }
}
#endif
