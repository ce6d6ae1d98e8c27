import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import BrowsePresentation
import Foundation
import TestLimits
import Testing

/// Tests favorites on all screens, with a database file.
@MainActor @Suite(.bounded)
struct `Favorites, all layers` {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "story-\(UUID().uuidString)")

    private func container(_ scenario: Scenario = .normal) -> Container {
        Container.offline(scenario, configuration: .localized().with { $0.storageFolder = folder })
    }

    @Test func `appear on all screens at once, survive a restart, and need no network`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = container()
        let search = container.userSearchViewModel()
        let followers = container.followerListViewModel()
        let profile = container.userProfileViewModel()
        let repos = container.repoSearchViewModel()
        let favorites = container.favoriteListViewModel()
        await favorites.show()
        await followers.show(.following(by: GitHub.Login("octocat")))
        await profile.show(GitHub.Login("haneul-kim"))
        search.query.text = "haneul"
        await search.submit()
        repos.query.text = "octocat"
        await repos.submit()

        // Added on one screen.
        let position = try #require(search.state.content.rows.firstIndex { $0.login.rawValue == "haneul-kim" })
        await search.toggleFavorite(search.state.content.rows[position].id)
        await repos.toggleFavorite(repos.state.content.rows[3].id)
        let repo = repos.state.content.rows[3].repo
        await favorites.until { $0.content.rows.map(\.favorite.title) == ["haneul-kim", repo.fullName] }
        #expect(favorites.state.sections.map(\.title) == ["H", "O"])
        await followers.until { $0.content.rows.filter(\.isFavorite).map(\.login.rawValue) == ["haneul-kim"] }
        await profile.until { $0.isFavorite }
        #expect(search.state.content.rows[position].isFavorite)

        // Removed on another screen, which adds one too.
        await profile.toggleFavorite()
        await search.until { !$0.content.rows[position].isFavorite }
        await favorites.until { $0.content.rows.count == 1 }
        await followers.until { $0.content.rows.allSatisfy { !$0.isFavorite } }

        // A restart without a network.
        let restarted = self.container(.offline)
        let restoredList = restarted.favoriteListViewModel()
        await restoredList.show()
        #expect(restoredList.state.content.rows.map(\.favorite) == [Favorite(repo)])
        await restoredList.setFavorite(restoredList.state.content.rows[0].id, to: false)
        await restoredList.until { if case .empty = $0.content.status { true } else { false } }
    }

    @Test func `that were recovered have a notice on the first screen, and on no later one`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let text = String(repeating: "This isn't a database. ", count: 1000)
        try Data(text.utf8).write(to: folder.appending(path: "favorites.sqlite"))
        let container = container()
        let first = container.favoriteListViewModel()
        await first.show()
        await first.until { $0.notice?.kind == .storage }
        let later = container.favoriteListViewModel()
        await later.show()
        // A change that is reported after the recovery.
        let user = GitHub.User(id: .init(rawValue: 1), login: GitHub.Login("mona"))
        _ = try await container.favoriteRepository().add(Favorite(user))
        await later.until { $0.content.rows.count == 1 }
        #expect(later.state.notice == nil && first.state.notice != nil)
    }
}
