import BrowseKit
import BrowseSwiftUI
import SwiftUI

/// The profile of an account.
struct UserProfileView: View {
    let login: GitHub.Login?
    var id: GitHub.User.ID? = nil
    let container: Container

    var body: some View {
        BrowseDetail(container.userProfileViewModel(), container: container) { model in
            if let id {
                await model.showIfNeeded(id, label: login)
            } else if let login {
                await model.showIfNeeded(login)
            }
        } sections: { _, details in
            Section {
                RowLabel(
                    title: details.name,
                    subtitle: details["bio"]?.value,
                    image: details.profile.user.avatar,
                    container: container
                )
            }
            Section { BrowseFacts(details.facts.filter { !["name", "bio"].contains($0.id) }) }
        } actions: { model in
            FavoriteToggle(model: model)
            if let page = model.state.content.details?.profile.user.webPage?.url { ShareLink(item: page) }
        }
    }
}
