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

    @Test func `open another list from a profile, which starts at its first page`() async {
        let container = container(locale: "ko_KR")
        let profile = container.userProfileViewModel()
        let followers = container.followerListViewModel()
        await followers.show(.followers(of: GitHub.Login("octocat")))
        followers.filter = "ash"
        await profile.show(GitHub.Login("mockworks"))
        let list = GitHub.FollowList.followers(of: GitHub.Login("mockworks"))
        #expect(profile.showFollowers() == .gitHub(.followList(list)))
        await followers.show(list)
        #expect(followers.state.title == "mockworks의 팔로워")
        #expect(followers.state.content.rows.count == 100)
        #expect(!followers.state.content.hasMore, "exactly one full page is the whole list")
        #expect(followers.state.filter.isEmpty)
    }

    @Test func `load all pages in the same order as page by page`() async {
        let container = container()
        let (one, all) = (container.followerListViewModel(), container.followerListViewModel())
        await one.show(.followers(of: GitHub.Login("octocat")))
        while one.state.content.hasMore, one.state.content.status == .ready { await one.loadMore() }
        await all.show(.followers(of: GitHub.Login("octocat")))
        await all.loadAll()
        #expect(all.state.content.rows == one.state.content.rows)
        all.filter = "ASH"
        #expect(all.state.content.rows.count == 7)
    }

    private nonisolated static let end = Date(timeIntervalSince1970: 4_000_000_000)

    @Test(arguments: [
        (Scenario.normal, "nobody-here", Message.Kind.notFound),
        (.offline, "octocat", .offline),
        (.serverError, "octocat", .serverFailure),
        (.rateLimited(until: end), "octocat", .rateLimited(until: end)),
    ])
    func `show a message for each failure`(scenario: Scenario, login: String, kind: Message.Kind) async throws {
        let followers = container(scenario).followerListViewModel()
        await followers.show(.followers(of: GitHub.Login(login)))
        let message = try #require(followers.state.content.status.failure)
        switch (message.kind, kind) {
        case (.rateLimited(let until), .rateLimited(let requested)):
            // Waits of more than a day are shortened.
            #expect(until <= requested && until > .now)
        default:
            #expect(message.kind == kind)
        }
    }
}
