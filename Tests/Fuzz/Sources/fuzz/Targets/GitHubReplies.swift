import BrowseData
import BrowseDomain
import Foundation

/// Lists of GitHub's API, page by page and all pages at once.
@Sendable func gitHubLists(_ input: [UInt8]) {
    let reply = Reply(input)
    InlineExecutor.run {
        let followers = RemoteFollowerRepository(client: client(reply))
        let list = GitHub.FollowList.followers(of: GitHub.Login("a"))
        check(await outcome { () async throws(BrowseError) in try await followers.page(of: list, at: nil) }) { page in
            check(page, of: reply)
            if let user = page.items.first { checkStoring(user) }
        }
        check(
            await outcome { () async throws(BrowseError) in
                try await followers.pages(of: list, from: nil, concurrency: 3) { page in check(page, of: reply) }
            }
        )
        let repos = RemoteRepoRepository(client: client(reply))
        check(await outcome { () async throws(BrowseError) in try await repos.page(of: .own, at: nil) }) { page in
            check(page, of: reply)
            if let repo = page.items.first { checkStoring(repo) }
        }
        let stars = RemoteStarRepository(client: client(reply))
        check(await outcome { () async throws(BrowseError) in try await stars.starred { _ in } })
    }
}

/// Profiles, code repositories and searches of GitHub's API.
@Sendable func gitHubDetails(_ input: [UInt8]) {
    let reply = Reply(input)
    guard let text = try? GitHub.SearchText("swift") else { return }
    InlineExecutor.run {
        let users = RemoteUserRepository(client: client(reply))
        check(await outcome { () async throws(BrowseError) in try await users.profile(of: GitHub.Login("a")) }) {
            checkStoring($0.user)
        }
        let searchUsers = GitHub.SearchUsers(repository: users)
        check(await outcome { () async throws(BrowseError) in try await searchUsers(matching: text, at: nil) }) {
            check($0.page, of: reply)
        }
        let repos = RemoteRepoRepository(client: client(reply))
        check(await outcome { () async throws(BrowseError) in try await repos.repo(named: "b", of: .init("a")) }) {
            checkStoring($0)
        }
        let searchRepos = GitHub.SearchRepos(repository: repos)
        check(await outcome { () async throws(BrowseError) in try await searchRepos(.init(text: text), at: nil) }) {
            check($0.page, of: reply)
        }
    }
}

private func client(_ reply: Reply) -> HTTPClient {
    HTTPClient(
        service: .gitHub(baseURL: URL(fixed: "https://api.example"), userAgent: "BrowseKit-Fuzz", now: { now }),
        transport: ReplyTransport(reply)
    )
}
