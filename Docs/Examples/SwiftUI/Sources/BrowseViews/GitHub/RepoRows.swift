import BrowseKit
import SwiftUI

/// The rows of a list of repositories, with their stars.
struct RepoRows<Model: ListViewModel>: View where Model.Row == RepoRow {
    let model: Model
    let container: Container

    @Environment(\.texts) private var texts

    var body: some View {
        ListRows(model: model) { row in
            RouteLink(route: row.route) {
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
                    StarButton(isStarred: row.isStarred) { await model.setStar(row.id, to: $0) }
                }
                FavoriteButton(isFavorite: row.isFavorite) { await model.setFavorite(row.id, to: $0) }
            }
        }
    }
}

/// An account's repositories, one's own, or those one has starred.
struct RepoListView: View {
    private let list: GitHub.RepoList
    private let container: Container
    @State private var model: RepoListViewModel
    @Environment(\.dismiss) private var dismiss

    init(list: GitHub.RepoList, container: Container) {
        self.list = list
        self.container = container
        _model = State(initialValue: container.repoListViewModel())
    }

    var body: some View {
        List {
            RepoRows(model: model, container: container)
        }
        .listStatus(of: model) { dismiss() }
        .task(id: list) { await model.showIfNeeded(list) }
    }
}
