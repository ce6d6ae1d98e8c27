import BrowseDomain
import BrowseGitHubDomain
import BrowseMocks
import TestLimits
import Testing

@Suite(.bounded)
struct `A user repository in memory` {
    @Test func `finds the first 1,000 accounts, and has the number of all, as on GitHub`() async throws {
        let profiles = (1...1_250).map { number in
            let id = GitHub.User.ID(rawValue: Int64(number))
            return GitHub.UserProfile(user: GitHub.User(id: id, login: GitHub.Login("user-\(number)")))
        }
        let users = InMemoryUserRepository(profiles: profiles, pageSize: 600)
        let text = try GitHub.SearchText("user-")
        let first = try await users.search(for: text, at: nil)
        let last = try await users.search(for: text, at: first.next)
        #expect([first.items.count, last.items.count] == [600, 400] && last.totalCount == 1_250)
        #expect(!first.isLimited && last.isLimited && last.next == nil)
    }
}
