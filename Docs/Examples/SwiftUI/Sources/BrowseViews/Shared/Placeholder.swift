import SwiftUI

/// A view in place of rows.
///
/// It scrolls if large text needs more room than there is, and can be pulled down to refresh.
struct Placeholder<Content: View>: View {
    @ViewBuilder let content: Content

    var body: some View {
        GeometryReader { proxy in
            ScrollView {
                content.frame(maxWidth: .infinity, minHeight: proxy.size.height)
            }
        }
    }
}

/// An explanation of a search, shown before the first one.
struct SearchPrompt: View {
    let title: String
    let text: String

    var body: some View {
        ContentUnavailableView {
            Label(title, systemImage: "magnifyingglass")
        } description: {
            Text(text)
        }
    }
}

/// A spinner, and a note if the load takes long.
struct Spinner: View {
    let delay: String?

    var body: some View {
        VStack {
            ProgressView()
            if let delay { Text(delay).font(.footnote).foregroundStyle(.secondary) }
        }
    }
}
