import BrowseKit
import BrowseSwiftUI
import Foundation
import SwiftUI

/// A repository, with its README.
struct RepoDetailView: View {
    let container: Container
    /// Loads the repository when the screen appears.
    let load: @MainActor (RepoDetailViewModel) async -> Void

    @Environment(\.texts) private var texts

    var body: some View {
        BrowseDetail(container.repoDetailViewModel(), container: container, load: load) { model, details in
            Section {
                RowLabel(
                    title: details.details.repo.fullName,
                    subtitle: details.details.repo.summary,
                    image: details.details.repo.owner?.avatar,
                    container: container
                )
            }
            Section { BrowseFacts(details.facts.filter { $0.id != "summary" }) }
            Section(texts(.readme)) { readme(of: model) }
        } actions: { model in
            if let row = model.state.row, row.canStar {
                StarButton(isStarred: row.isStarred) { await model.setStar(to: $0) }
            }
            FavoriteToggle(model: model)
            if let page = model.state.row?.webPage?.url { ShareLink(item: page) }
        }
    }

    @ViewBuilder private func readme(of model: RepoDetailViewModel) -> some View {
        switch model.state.readme.status {
        case .idle: EmptyView()
        case .loading: ProgressView().frame(maxWidth: .infinity)
        case .failed(let message): BrowseMessage(message, perform: model.perform)
        case .loaded(nil): Text(texts(.noReadme)).foregroundStyle(.secondary)
        case .loaded(let readme?):
            Text(readme.styled)
            if readme.isTruncated { Text(texts(.readmeTruncated)).font(.footnote).foregroundStyle(.secondary) }
        }
    }
}

extension GitHub.Readme {
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
