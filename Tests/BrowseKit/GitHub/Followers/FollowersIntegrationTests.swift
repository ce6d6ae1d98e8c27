import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseKit
import BrowseMocks
import BrowsePresentation
import Foundation
import TestLimits
import Testing

/// Tests all layers on fixtures, from the container to a real `URLSession`.
@MainActor @Suite(.bounded)
struct `Followers, all layers` {
    private func container(_ scenario: Scenario = .normal, locale: String = "en_US") -> Container {
        Container.offline(scenario, configuration: .localized(locale))
    }

    @Test func `search by username, load page by page, and open a profile`() async throws {
        let container = container()
        let search = container.followerSearchViewModel()
        search.query = "octocat"
        let list = GitHub.FollowList.followers(of: GitHub.Login("octocat"))
        #expect(search.submit() == .gitHub(.followList(list)))
        let followers = container.followerListViewModel()
        await followers.show(list)
        var shown = Rows<UserRow>()
        var sizes: [Int] = []
        while true {
            switch followers.state.content.rows.change(since: shown) {
            case .none: break
            case .reset: sizes.append(followers.state.content.rows.count)
            case .update(let update): sizes.append(update.appended.count)
            }
            shown = followers.state.content.rows
            guard followers.state.content.hasMore, followers.state.content.status == .ready else { break }
            await followers.rowAppeared(followers.state.content.rows[shown.count - 1].id)
        }
        #expect(sizes == [100, 100, 57])
        #expect(Set(shown.map(\.id)).count == 257)

        for position in [0, 7, 21, 58, 117, 222, 256] {
            let user = shown[position].user
            #expect(followers.select(user.id) == .gitHub(.account(user.id, label: user.login)))
            let profile = container.userProfileViewModel()
            await profile.show(user.id, label: user.login)
            #expect(profile.state.content.details?.profile.user.id == user.id, "\(user.login)")
        }
    }
}
