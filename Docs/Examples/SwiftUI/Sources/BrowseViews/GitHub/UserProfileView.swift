import BrowseKit
import SwiftUI

/// The profile of an account.
struct UserProfileView: View {
    private let login: GitHub.Login
    private let container: Container
    @State private var model: UserProfileViewModel
    @Environment(\.texts) private var texts
    @Environment(\.openRoute) private var openRoute

    init(login: GitHub.Login, container: Container) {
        self.login = login
        self.container = container
        _model = State(initialValue: container.userProfileViewModel())
    }

    var body: some View {
        DetailContent(model: model, content: model.state.content, notice: model.state.notice) { details in
            Section {
                RowLabel(
                    title: details.name,
                    subtitle: details.bio,
                    image: details.profile.user.avatar,
                    container: container
                )
            }
            Section {
                LabeledContent(texts(.company), value: details.company)
                LabeledContent(texts(.place), value: details.location)
                LabeledContent(texts(.website)) {
                    if let url = details.profile.blog?.url {
                        Link(details.blog, destination: url)
                    } else {
                        Text(details.blog)
                    }
                }
                LabeledContent(texts(.gists), value: details.publicGists)
            } footer: {
                Text(details.memberSince)
            }
            Section {
                countButton(.followersTab, details.followers) { model.showFollowers() }
                countButton(.following, details.following) { model.showFollowing() }
                countButton(.repositoriesTab, details.publicRepos) { model.showRepos() }
            }
        }
        .navigationTitle(login.rawValue)
        .toolbar {
            FavoriteButton(isFavorite: model.state.isFavorite) { await model.toggleFavorite() }
                .disabled(model.state.content.details == nil)
            if let page = model.state.content.details?.profile.user.webPage?.url { ShareLink(item: page) }
        }
        .task(id: login) { await model.showIfNeeded(login) }
    }

    /// A button and not a link: the view model explains why an empty list isn't opened.
    private func countButton(_ title: Phrase, _ count: String, _ route: @escaping @MainActor () -> Route?) -> some View
    {
        Button {
            openRoute(route())
        } label: {
            HStack {
                LabeledContent(texts(title), value: count)
                Image(systemName: "chevron.forward").foregroundStyle(.tertiary).accessibilityHidden(true)
            }
            .contentShape(.rect)
        }
        .buttonStyle(.plain)
    }
}
