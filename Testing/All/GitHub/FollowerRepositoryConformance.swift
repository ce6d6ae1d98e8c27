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
        return rules
    }

    private typealias Rule = ConformanceRule<any GitHub.FollowerRepository>
}

extension GitHub.FollowList {
    fileprivate var uppercased: GitHub.FollowList {
        switch self {
        case .followers(let login): .followers(of: GitHub.Login(login.rawValue.uppercased()))
        case .following(let login): .following(by: GitHub.Login(login.rawValue.uppercased()))
        }
    }
}
