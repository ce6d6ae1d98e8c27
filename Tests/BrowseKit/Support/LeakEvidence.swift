import BrowseData
import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import BrowsePresentation
import Synchronization

/// All output of the SDK, in every way of printing it.
final class LeakEvidence: HTTPObserver {
    private let texts = Mutex<[String]>([])

    func add(_ value: some Any) {
        var dumped = ""
        dump(value, to: &dumped)
        let children = Mirror(reflecting: value).children.map { "\($0)" }.joined()
        texts.withLock { $0 += ["\(value)", String(reflecting: value), dumped, children] }
    }

    func observe(_ event: HTTPEvent) { add(event) }

    func first(containing part: String) -> String? { texts.withLock { $0.first { $0.contains(part) } } }

    var count: Int { texts.withLock { $0.count } }
}

extension Container {
    /// Uses every screen of GitHub and the favorites, and collects their states.
    @MainActor
    func useGitHub(_ evidence: LeakEvidence) async {
        let octocat = GitHub.Login("octocat")
        for list in [GitHub.RepoList.own, .starred, .publicRepos(of: octocat)] {
            let model = repoListViewModel()
            await model.show(list)
            await model.loadMore()
            if let row = model.state.content.rows.first { evidence.add(await model.toggleStar(row.id) as Any) }
            if let row = model.state.content.rows.dropFirst().first { await model.toggleFavorite(row.id) }
            evidence.add(model.state)
        }
        let followers = followerListViewModel()
        await followers.show(.followers(of: octocat))
        await followers.loadMore()
        evidence.add(followers.state)
        let users = userSearchViewModel()
        users.query.text = "octo"
        await users.submit()
        evidence.add(users.state)
        let repos = repoSearchViewModel()
        repos.query.text = "octocat"
        await repos.submit()
        evidence.add(repos.state)
        let profile = userProfileViewModel()
        await profile.show(octocat)
        evidence.add(profile.state)
        let account = gitHubAccountViewModel()
        await account.show()
        await account.retry()
        account.askToSignOut()
        evidence.add(account.state)
        let favorites = favoriteListViewModel()
        await favorites.show()
        evidence.add(favorites.state)
        evidence.add(await outcome { () async throws(BrowseError) in try await userRepository().ownProfile() })
        evidence.add(gitHubSession().current)
        evidence.add(gitHubSession().stars)
    }
}

/// Returns the value or error of an operation.
func outcome<Value>(_ body: () async throws(BrowseError) -> Value) async -> Result<Value, BrowseError> {
    do throws(BrowseError) {
        let value = try await body()
        return .success(value)
    } catch {
        return .failure(error)
    }
}
