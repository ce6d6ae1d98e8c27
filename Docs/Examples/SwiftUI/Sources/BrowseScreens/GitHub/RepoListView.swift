import BrowseKit
import BrowseSwiftUI
import SwiftUI

/// A repository in a list, with its stars.
struct RepoRowView<Intents: ListIntents<RepoRow>>: View {
    let row: RepoRow
    let list: Intents
    let container: Container

    @Environment(\.texts) private var texts

    var body: some View {
        BrowseLink(row.route) {
            VStack(alignment: .leading) {
                RowLabel(
                    title: row.fullName,
                    subtitle: row.summary,
                    image: row.owner?.avatar,
                    isFavorite: row.isFavorite,
                    container: container
                )
                if let count = row.starCount {
                    Label(texts.formats.compact(count), systemImage: row.isStarred ? "star.fill" : "star")
                        .font(.footnote)
                        .foregroundStyle(.secondary)
                        .accessibilityLabel(texts(.starCount(count, isStarred: row.isStarred)))
                }
            }
            .accessibilityElement(children: .combine)
        }
        .rowActions {
            if row.canStar {
                StarButton(isStarred: row.isStarred) { await list.setStar(row.id, to: $0) }
            }
            FavoriteButton(isFavorite: row.isFavorite) { await list.setFavorite(row.id, to: $0) }
        }
    }
}

/// An account's repositories, one's own, or those one has starred.
struct RepoListView: View {
    private let list: GitHub.RepoList
    private let container: Container
    @State private var model: RepoListViewModel

    init(list: GitHub.RepoList, container: Container) {
        self.list = list
        self.container = container
        _model = State(initialValue: container.repoListViewModel())
    }

    var body: some View {
        List {
            BrowseRows(model, container: container) { RepoRowView(row: $0, list: model, container: container) }
        }
        .browseStatus(of: model, container: container)
        .task(id: list) { await model.showIfNeeded(list) }
    }
}
