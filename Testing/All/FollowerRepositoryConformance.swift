public import BrowseCoreTesting
import BrowseDomain
public import BrowseGitHubDomain

/// The rules of `GitHub.FollowerRepository`.
public enum FollowerRepositoryConformance {
    /// The rules for every repository.
    ///
    /// ```swift
    /// @Test(arguments: FollowerRepositoryConformance.rules(list: .followers(of: GitHub.Login("octocat"))))
    /// func listsFollowers(rule: ConformanceRule<any GitHub.FollowerRepository>) async throws {
    ///     try await rule.verify(MyFollowerRepository())
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - list: A list that has at least two pages.
    ///   - missing: The login of an account that doesn't exist.
    public static func rules(
        list: GitHub.FollowList,
        missing: GitHub.Login = GitHub.Login("conformance-nobody")
    ) -> [ConformanceRule<any GitHub.FollowerRepository>] {
        var rules = Rule.list("the list") { followers, cursor throws(BrowseError) in
            try await followers.page(of: list, at: cursor)
        }
        rules.append(
            .notFound("The list of an account that doesn't exist") { followers throws(BrowseError) in
                try await followers.page(of: .followers(of: missing), at: nil)
            }
        )
        rules.append(
            Rule("A login is found in any case.") { followers, require in
                let ids = try await followers.page(of: list, at: nil).items.map(\.id)
                let upper = try await followers.page(of: list.uppercased, at: nil).items.map(\.id)
                try require(ids == upper, "\(list.uppercased.owner) has other rows.")
            }
        )
        return rules + allPagesRules(of: list)
    }

    private typealias Rule = ConformanceRule<any GitHub.FollowerRepository>

    /// The rules of `pages(of:from:concurrency:receive:)`.
    private static func allPagesRules(of list: GitHub.FollowList) -> [Rule] {
        [
            Rule("All pages are delivered in order.") { followers, require in
                let pages = try await allPages { cursor throws(BrowseError) in
                    try await followers.page(of: list, at: cursor)
                }
                for concurrency in [1, 4] {
                    var received: [[GitHub.User.ID]] = []
                    try await followers.pages(of: list, from: nil, concurrency: concurrency) { page in
                        received.append(page.items.map(\.id))
                    }
                    let isEqual = received == pages.map { $0.items.map(\.id) }
                    try require(isEqual, "they differ from the single pages, \(concurrency) at a time.")
                }
            },
            Rule("All pages can be read from a later page on.") { followers, require in
                let pages = try await allPages { cursor throws(BrowseError) in
                    try await followers.page(of: list, at: cursor)
                }
                var received: [GitHub.User.ID] = []
                try await followers.pages(of: list, from: pages.first?.next, concurrency: 4) { page in
                    received += page.items.map(\.id)
                }
                let expected = pages.dropFirst().flatMap(\.items).map(\.id)
                try require(received == expected, "\(received.count) instead of \(expected.count) rows were delivered.")
            },
            Rule("An error of the receiver ends the delivery, and is rethrown.") { followers, require in
                let refusal = BrowseError.refused(.foreignPage, BrowseError.RequestInfo(endpoint: "CONFORMANCE"))
                var count = 0
                let result = await outcome { () throws(BrowseError) in
                    try await followers.pages(of: list, from: nil, concurrency: 4) { _ throws(BrowseError) in
                        count += 1
                        throw refusal
                    }
                }
                guard case .failure(refusal) = result else { return try require(false, describe(result)) }
                try require(count == 1, "\(count) pages were delivered.")
            },
        ]
    }
}

extension GitHub.FollowList {
    fileprivate var uppercased: GitHub.FollowList {
        switch self {
        case .followers(let login): .followers(of: GitHub.Login(login.rawValue.uppercased()))
        case .following(let login): .following(by: GitHub.Login(login.rawValue.uppercased()))
        }
    }
}
