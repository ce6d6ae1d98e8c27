import BrowseKit
import BrowseMocks
import BrowseScreens
import BrowseSwiftUI
import Foundation
import SwiftUI

#Preview("App") {
    BrowseTabs(container: .offline())
}

#Preview("Korean, large text") {
    BrowseTabs(container: .offline(configuration: Configuration().with { $0.locale = Locale(identifier: "ko_KR") }))
        .dynamicTypeSize(.accessibility2)
}

#Preview("Offline") {
    BrowseTabs(container: .offline(.offline))
}

#Preview("Empty") {
    BrowseTabs(container: .offline(.empty))
}

#Preview("Server error") {
    BrowseTabs(container: .offline(.serverError))
}

#Preview("Rate limited") {
    BrowseTabs(container: .offline(.rateLimited(until: .now + 60)))
}

#Preview("Followers") {
    let container = Container.offline()
    BrowseStack(container: container) {
        DestinationView(route: .gitHub(.followList(.followers(of: GitHub.Login("octocat")))), container: container)
    }
}

#Preview("Character") {
    let container = Container.offline()
    BrowseStack(container: container) {
        DestinationView(route: .rickAndMorty(.character(RickAndMorty.Character.ID(rawValue: 1))), container: container)
    }
}

#Preview("Profile") {
    let container = Container.offline()
    BrowseStack(container: container) {
        DestinationView(route: .gitHub(.userProfile(GitHub.Login("octocat"))), container: container)
    }
}

#Preview("Sign in") {
    DestinationView(route: .signIn, container: .offline())
}
