import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseMocks
import BrowsePresentation
import Foundation
import TestLimits
import Testing

@MainActor @Suite(.bounded)
struct `The user profile` {
    private static let full = GitHub.UserProfile(
        user: GitHub.User(
            id: GitHub.User.ID(rawValue: 1),
            login: .octocat,
            webPage: WebAddress(rawValue: "https://github.com/octocat")
        )
    ) {
        $0.name = "The Octocat"
        $0.bio = "  Part octopus.\n"
        $0.company = "@github"
        $0.location = "San Francisco"
        $0.blog = WebAddress("github.blog")
        $0.publicRepoCount = 8
        $0.publicGistCount = 12
        $0.followerCount = 1_234_567
        $0.followingCount = 9
        $0.memberSince = Date(timeIntervalSince1970: 1_295_981_076)
    }
    private static let bare = GitHub.UserProfile(user: GitHub.User(id: GitHub.User.ID(rawValue: 2), login: .mona)) {
        $0.publicRepoCount = 0
        $0.publicGistCount = 0
        $0.followerCount = 0
        $0.followingCount = 0
        $0.memberSince = Date(timeIntervalSince1970: 1_295_981_076)
    }

    private func loaded(_ profile: GitHub.UserProfile, texts: Texts = .english) async -> UserProfileViewModel {
        let model = UserProfileViewModel([profile], texts: texts)
        await model.show(profile.user.login)
        return model
    }

    private func details(_ model: UserProfileViewModel) throws -> UserProfileViewModel.Details {
        try #require(model.state.content.details)
    }

    @Test func `has facts in order, with routes to lists that aren't empty`() async throws {
        let model = await loaded(Self.full, texts: .korean)
        #expect(model.state.title == "octocat")
        let facts = try details(model).facts
        #expect(
            facts.map { "\($0.label): \($0.value)" } == [
                "이름: The Octocat", "소개: Part octopus.", "회사: @github", "위치: San Francisco", "웹사이트: github.blog",
                "팔로워: 1,234,567", "팔로잉: 9", "저장소: 8", "Gist: 12", "가입: 2011년 1월",
            ]
        )
        #expect(!facts.contains { $0.isMissing })
        let ids = ["name", "bio", "company", "location", "blog", "followers", "following", "repos", "gists", "joined"]
        #expect(facts.map(\.id) == ids)
        let routes = Dictionary(uniqueKeysWithValues: facts.map { ($0.id, $0.route) })
        #expect(routes["followers"] == .gitHub(.followList(.followers(of: .octocat))))
        #expect(routes["repos"] == .gitHub(.repoList(.publicRepos(of: .octocat))))
        #expect(routes["company"] == .some(nil))

        let bare = try details(await loaded(Self.bare)).facts
        #expect(bare.filter(\.isMissing).map(\.id) == ["name", "bio", "company", "location", "blog"])
        #expect(bare.allSatisfy { $0.route == nil })
    }

    @Test(arguments: ["\u{3164}", " \u{200B}", "", nil])
    func `has the text for a missing value if nothing of it is visible`(name: String?) async throws {
        let profile = GitHub.UserProfile(user: Self.full.user) { $0.name = name }
        #expect(try details(await loaded(profile)).name == "No name")
    }

    @Test func `removes the notice of an empty list when another list is shown`() async {
        let model = await loaded(
            GitHub.UserProfile(user: Self.full.user) {
                $0.followerCount = 1
                $0.followingCount = 0
            }
        )
        #expect(model.showFollowing() == nil && model.state.notice != nil)
        #expect(model.showFollowers() != nil && model.state.notice == nil)
    }

    @Test func `has a text for missing values in both languages`() async throws {
        let english = try details(await loaded(Self.bare))
        #expect(english.memberSince == "Member since January 2011")
        #expect(
            english.facts.prefix(5).map(\.value) == ["No name", "No bio", "No company", "No location", "No website"]
        )
        let korean = try details(await loaded(Self.bare, texts: .korean))
        #expect(korean.facts.prefix(5).map(\.value) == ["이름 없음", "소개 없음", "회사 없음", "위치 없음", "웹사이트 없음"])
        #expect(korean.memberSince == "2011년 1월 가입")
    }

    @Test func `returns no route to an empty list, but a notice`() async {
        let model = await loaded(Self.bare)
        #expect(model.showFollowers() == nil)
        #expect(model.state.notice?.text == "Nobody follows mona yet.")
        // Nothing was typed on this screen.
        #expect(model.state.notice?.action == nil && model.state.notice?.actionTitle == nil)
        #expect(model.showFollowing() == nil)
        #expect(model.state.notice?.text == "mona doesn’t follow anyone yet.")
        #expect(model.state.notice?.action == nil)
    }

    @Test func `follows the favorites, and returns the route to the repositories`() async throws {
        let favorites = InMemoryFavoriteRepository()
        let model = UserProfileViewModel([Self.full, Self.bare], favorites: favorites)
        await model.toggleFavorite()
        #expect(try await favorites.ids().isEmpty)
        await model.show(.octocat)
        #expect(!model.state.isFavorite)
        await model.toggleFavorite()
        #expect(model.state.isFavorite)
        #expect(try await favorites.ids() == [Self.full.user.favoriteID])
        #expect(model.showRepos() == .gitHub(.repoList(.publicRepos(of: .octocat))))
        #expect(model.showFollowers() == .gitHub(.followList(.followers(of: .octocat))))
        #expect(model.showFollowing() == .gitHub(.followList(.following(by: .octocat))))
        await model.show(.mona)
        #expect(!model.state.isFavorite)
        #expect(model.showRepos() == nil)
        #expect(model.state.notice?.text == "mona doesn’t have any public repositories yet.")
        await model.show(.octocat)
        #expect(model.state.isFavorite)
        _ = try await favorites.remove(Self.full.user.favoriteID)
        await model.until { !$0.isFavorite }
    }

    @Test func `reports an account that doesn't exist`() async {
        let model = await loaded(Self.full)
        await model.show(.mona)
        #expect(model.state.content.status.message?.kind == .notFound)
        #expect(model.showFollowers() == nil)
    }
}
