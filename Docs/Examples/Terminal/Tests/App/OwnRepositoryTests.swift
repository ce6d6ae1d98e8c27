import BrowseKit
import Testing

/// Conformances whose methods are copied from the protocols, in a module without upcoming features.
struct OneFollower: GitHub.FollowerRepository {
    func page(of list: GitHub.FollowList, at cursor: PageCursor?) async throws(BrowseError) -> Page<GitHub.User> {
        let number = cursor?.page ?? 1
        let user = GitHub.User(id: .init(rawValue: Int64(number)), login: .init("mona-\(number)"))
        return Page(items: [user], next: number < 3 ? PageCursor(page: number + 1) : nil)
    }
}

struct OwnPages: GitHub.FollowerRepository {
    func page(of list: GitHub.FollowList, at cursor: PageCursor?) async throws(BrowseError) -> Page<GitHub.User> {
        Page(items: [])
    }
}

struct OwnStars: GitHub.StarRepository {
    func starred(
        receive: nonisolated(nonsending) (Page<GitHub.Repo.ID>) async throws(BrowseError) -> Void
    ) async throws(BrowseError) {
        try await receive(Page(items: [.init(rawValue: 7)]))
    }

    func set(_ isStarred: Bool, for repo: GitHub.Repo) async throws(BrowseError) {}

    func isStarred(_ repo: GitHub.Repo) async throws(BrowseError) -> Bool { true }
}

@Suite struct `Your own repository` {
    @Test func `has all pages by default, one after the other`() async throws {
        var logins: [String] = []
        let followers: any GitHub.FollowerRepository = OneFollower()
        try await followers.pages(of: .followers(of: .init("octocat")), from: nil, concurrency: 4) { page in
            logins += page.items.map(\.login.rawValue)
        }
        #expect(logins == ["mona-1", "mona-2", "mona-3"])
    }

    @Test @MainActor func `hands pages over on the caller's actor`() async throws {
        var count = 0
        let followers: any GitHub.FollowerRepository = OwnPages()
        try await followers.pages(of: .followers(of: .init("octocat")), from: nil, concurrency: 1) { _ in
            MainActor.assertIsolated()
            count += 1
        }
        let stars: any GitHub.StarRepository = OwnStars()
        try await stars.starred { page in count += page.items.count }
        #expect(count == 2)
    }
}
