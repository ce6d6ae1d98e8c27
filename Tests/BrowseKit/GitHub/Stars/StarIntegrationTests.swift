import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseGitHubPresentation
import BrowseKit
import BrowseMocks
import BrowsePresentation
import Foundation
import TestLimits
import Testing

/// Tests stars through all layers, on fixtures.
@MainActor @Suite(.bounded)
struct `Stars, all layers` {
    private let gitHub = OfflineGitHub()
    private let clock = TestClock()

    private func container() -> Container {
        var configuration = Configuration.localized()
        configuration.clock = clock
        configuration.gitHub.app = .gitHub(clientID: "client")
        configuration.retries = .never
        return Container.production(on: gitHub.transport(), configuration: configuration)
    }

    @Test func `are set after signing in, equal in all lists, and gone after signing out`() async throws {
        let container = container()
        let search = container.repoSearchViewModel()
        search.query.text = "octocat"
        await search.submit()
        let all = container.repoListViewModel()
        await all.show(.publicRepos(of: GitHub.Login("octocat")))
        let starred = container.repoListViewModel()
        await starred.show(.starred)
        let account = container.gitHubAccountViewModel()
        await account.show()
        guard case .failed(let refusal) = starred.state.content.status else { throw BrowseError.cancelled }
        #expect(refusal.action == .signIn)
        #expect(!search.state.content.rows.contains { $0.isStarred })

        // A repository that octocat hasn't starred, and that both lists have loaded.
        let known = Set(try await starredNames())
        let position = try #require(
            search.state.content.rows.firstIndex { row in
                !known.contains(row.fullName) && all.state.content.rows.contains { $0.id == row.id }
            }
        )
        let row = search.state.content.rows[position]
        let count = try #require(row.starCount)
        #expect(await search.toggleStar(search.state.content.rows[position].id) == .signIn)
        #expect(!search.state.content.rows[position].isStarred)

        let signIn = container.gitHubSignInViewModel()
        await clock.run { await signIn.signInByCode() }
        guard case .signedIn(let user) = signIn.state else { Issue.record("\(signIn.state)"); return }
        #expect(user.login == GitHub.Login("octocat"))

        // The tapped star is set, and all lists show it with its count.
        func shown(_ state: ListState<RepoRow>) -> RepoRow? { state.rows.first { $0.id == row.id } }
        await search.until { shown($0.content)?.isStarred == true && shown($0.content)?.starCount == count + 1 }
        await all.until { shown($0.content)?.isStarred == true && shown($0.content)?.starCount == count + 1 }
        await starred.until { $0.content.rows.first?.id == row.id && $0.content.rows.first?.starCount == count + 1 }
        #expect(starred.state.content.rows.allSatisfy { $0.isStarred })
        await account.until { $0.content.details?.profile.user == user }
        // GitHub has the star too, so a new read shows it.
        let fresh = container.repoListViewModel()
        await fresh.show(.starred)
        #expect(fresh.state.content.rows.first?.id == row.id)
        #expect(fresh.state.content.rows.first?.starCount == count + 1)

        account.askToSignOut()
        await account.signOut()
        await search.until { !$0.content.rows.contains(where: \.isStarred) }
        await all.until { !$0.content.rows.contains(where: \.isStarred) }
        await starred.until { if case .failed = $0.content.status { $0.content.rows.isEmpty } else { false } }
        guard case .failed = account.state.content.status else { throw BrowseError.cancelled }
        #expect(account.state.user == nil)
        // The star and its count remain at GitHub.
        #expect(shown(search.state.content)?.starCount == count + 1)
    }

    private func signIn(_ container: Container) async throws {
        try await container.gitHubSession().signIn(with: Credentials(token: gitHub.token(for: GitHub.Login("octocat"))))
    }

    private func starredNames() async throws -> [String] {
        let signedIn = container()
        try await signIn(signedIn)
        var names: [String] = []
        var cursor: PageCursor?
        repeat {
            let page = try await signedIn.repoRepository().page(of: .starred, at: cursor)
            names += page.items.map(\.fullName)
            cursor = page.next
        } while cursor != nil
        return names
    }
}
