@testable import BrowseData
import BrowseDomain
@testable import BrowseGitHubData
import BrowseGitHubDomain
import Foundation

/// Lists of GitHub's API, page by page and all pages at once.
@Sendable func gitHubLists(_ input: [UInt8]) {
    let response = Response(input)
    InlineExecutor.run {
        let followers = RemoteGitHubRepository(client: client(response))
        let list = GitHub.FollowList.followers(of: GitHub.Login("a"))
        check(await outcome { () async throws(BrowseError) in try await followers.page(of: list, at: nil) }) { page in
            check(page, of: response)
            if let user = page.items.first { checkStoring(user) }
        }
        check(
            await outcome { () async throws(BrowseError) in
                try await followers.pages(of: list, from: nil, concurrency: 3) { page in check(page, of: response) }
            }
        )
        let repos = RemoteGitHubRepository(client: client(response))
        check(await outcome { () async throws(BrowseError) in try await repos.page(of: .own, at: nil) }) { page in
            check(page, of: response)
            if let repo = page.items.first { checkStoring(repo) }
        }
        let stars = RemoteGitHubRepository(client: client(response))
        check(await outcome { () async throws(BrowseError) in try await stars.starred { _ in } })
    }
}

/// Profiles, code repositories, searches, and rate limits of GitHub's API.
@Sendable func gitHubDetails(_ input: [UInt8]) {
    let response = Response(input)
    guard let text = try? GitHub.SearchText("swift") else { return }
    InlineExecutor.run {
        let users = RemoteGitHubRepository(client: client(response))
        check(await outcome { () async throws(BrowseError) in try await users.profile(of: GitHub.Login("a")) }) {
            checkStoring($0.user)
        }
        check(await outcome { () async throws(BrowseError) in try await users.search(for: text, at: nil) }) {
            check($0, of: response)
        }
        let repos = RemoteGitHubRepository(client: client(response))
        check(await outcome { () async throws(BrowseError) in try await repos.details(named: "b", of: .init("a")) }) {
            checkStoring($0.repo)
        }
        check(await outcome { () async throws(BrowseError) in try await repos.search(.init(text: text), at: nil) }) {
            check($0, of: response)
        }
        let gate = RateLimitGate(service: service, now: { now })
        let limits = RemoteRateLimitStatusRepository(
            client: client(response, gate),
            gate: gate,
            report: .gitHubRateLimits
        )
        check(await outcome { () async throws(BrowseError) in try await limits.refresh() }, check)
    }
}

private let service = HTTPClient.Service.gitHub(
    baseURL: URL(fixed: "https://api.example"),
    userAgent: "BrowseKit-Fuzz"
)

private func client(_ response: Response, _ gate: RateLimitGate? = nil) -> HTTPClient {
    let gate = gate ?? RateLimitGate(service: service, now: { now })
    return HTTPClient(
        service: service,
        transport: ResponseTransport(response),
        middleware: [gate],
        options: .init { $0.now = { now } }
    )
}
