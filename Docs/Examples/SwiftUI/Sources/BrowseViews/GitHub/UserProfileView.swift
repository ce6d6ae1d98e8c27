import BrowseKit
import SwiftUI

/// The profile of an account.
struct UserProfileView: View {
    private let login: GitHub.Login?
    private let id: GitHub.User.ID?
    private let container: Container
    @State private var model: UserProfileViewModel

    init(login: GitHub.Login?, id: GitHub.User.ID? = nil, container: Container) {
        self.login = login
        self.id = id
        self.container = container
        _model = State(initialValue: container.userProfileViewModel())
    }

    var body: some View {
        DetailContent(model: model) { details in
            Section {
                RowLabel(
                    title: details.name,
                    subtitle: details[.bio]?.value,
                    image: details.profile.user.avatar,
                    container: container
                )
            }
            Section { FactRows(facts: details.facts.filter { ![.name, .bio].contains($0.id) }) }
        }
        .toolbar {
            FavoriteToggle(model: model)
            if let page = model.state.content.details?.profile.user.webPage?.url { ShareLink(item: page) }
        }
        .task(id: login) {
            if let id {
                await model.showIfNeeded(id, label: login)
            } else if let login {
                await model.showIfNeeded(login)
            }
        }
    }
}
