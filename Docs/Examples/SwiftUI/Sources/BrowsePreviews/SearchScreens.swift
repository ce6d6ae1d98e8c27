import BrowseKit
import BrowseMocks
import BrowseSwiftUI
import SwiftUI

// A search, and a detail with related items; the page "Build a SwiftUI app" shows them.

struct RepoSearchScreen: View {
    let container: Container

    var body: some View {
        let texts = container.texts()
        BrowseSearch(
            container.repoSearchViewModel(),
            container: container,
            prompt: { _ in (texts(RepoSearchViewModel.title), texts(.findRepos)) }
        ) {
            model in
            BrowseRows(model, container: container) { row in
                TitleRow(row: row, title: row.fullName, image: row.owner?.avatar, list: model, container: container)
            }
        }
    }
}

nonisolated extension Phrase {
    fileprivate static let findRepos = Phrase("app.findRepos", "Find them by name or topic.", ko: "이름이나 주제로 찾아보십시오.")
}

struct EpisodeScreen: View {
    let id: RickAndMorty.Episode.ID
    let container: Container

    var body: some View {
        let title = container.texts()(EpisodeRow.relatedTitle)
        BrowseDetail(container.episodeDetailViewModel(), container: container) {
            await $0.showIfNeeded(id)
        } sections: { model, details in
            Section { BrowseFacts(details.facts) }
            BrowseRelatedSection(title, content: model.state.related, list: model.related) { row in
                TitleRow(row: row, title: row.name, image: row.image, list: model.related, container: container)
            }
        } actions: { _ in
        }
    }
}

#Preview("Episode") {
    EpisodeScreen(id: RickAndMorty.Episode.ID(rawValue: 1), container: .offline())
}

#Preview("Repositories") {
    RepoSearchScreen(container: .offline())
}
