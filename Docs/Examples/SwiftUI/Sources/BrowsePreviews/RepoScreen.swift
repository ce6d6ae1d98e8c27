import BrowseKit
import BrowseMocks
import BrowseSwiftUI
import Foundation
import SwiftUI

// A repository with its star and README; the page "Build a SwiftUI app" shows it.

struct RepoScreen: View {
    let id: GitHub.Repo.ID
    let label: String?
    let container: Container
    @Environment(\.openBrowseRoute) private var openRoute

    var body: some View {
        let texts = container.texts()
        BrowseDetail(container.repoDetailViewModel(), container: container) {
            await $0.showIfNeeded(id, label: label)
        } sections: { model, details in
            Section { BrowseFacts(details.facts) }
            if let readme = model.state.readme.details ?? nil {
                Section(texts(.readme)) {
                    Text(readme.styled)
                    if readme.isTruncated { Text(texts(.readmeTruncated)) }
                }
            }
        } actions: { model in
            if let row = model.state.row, row.canStar {
                Button(texts(row.isStarred ? .unstar : .star)) {
                    Task { openRoute(await model.toggleStar()) }
                }
            }
        }
    }
}

nonisolated extension GitHub.Readme {
    /// The text with the styles that are inside of a line, and with its links to web pages.
    ///
    /// Others could open another app and let it act, such as `shortcuts:`, or lead nowhere, such as `docs/`.
    fileprivate var styled: AttributedString {
        let options = AttributedString.MarkdownParsingOptions(interpretedSyntax: .inlineOnlyPreservingWhitespace)
        var styled = (try? AttributedString(markdown: text, options: options)) ?? AttributedString(text)
        for (link, range) in styled.runs[\.link] where link?.scheme?.lowercased() != "https" {
            styled[range].link = nil
        }
        return styled
    }
}

/// A row of a repository, with its star.
struct RepoTitleRow<Intents: ListIntents<RepoRow>>: View {
    let row: RepoRow
    let list: Intents
    let container: Container
    @Environment(\.openBrowseRoute) private var openRoute

    var body: some View {
        BrowseLink(row.route) {
            VStack(alignment: .leading) {
                Text(row.fullName)
                if let summary = row.summary { Text(summary).font(.subheadline).foregroundStyle(.secondary) }
                if let count = row.starCount {
                    Label(texts.formats.compact(count), systemImage: row.isStarred ? "star.fill" : "star")
                        .font(.footnote)
                }
            }
        }
        .swipeActions { buttons }
        .contextMenu { buttons }
    }

    @ViewBuilder private var buttons: some View {
        if row.canStar {
            Button(texts(row.isStarred ? .unstar : .star), systemImage: "star") {
                // The route of the sign-in, after which the star is sent.
                Task { openRoute(await list.toggleStar(row.id)) }
            }
        }
        Button(texts(row.isFavorite ? .removeFavorite : .addFavorite), systemImage: "heart") {
            Task { await list.toggleFavorite(row.id) }
        }
    }

    private var texts: Texts { container.texts() }
}

#Preview("Repository") {
    RepoScreen(id: GitHub.Repo.ID(rawValue: 5_000_043_831), label: nil, container: .offline())
}
