public import BrowseCoreTesting
import BrowseDomain
public import BrowseGitHubDomain

/// The rules of `GitHub.RepoRepository`.
public enum RepoRepositoryConformance {
    /// The rules for every repository.
    ///
    /// - Parameters:
    ///   - list: A list that has at least two pages.
    ///   - search: A search with at least two pages and fewer than 1,000 results.
    ///   - isSignedIn: Whether a user is signed in.
    ///   - missing: The login of an account that doesn't exist.
    public static func rules(
        list: GitHub.RepoList,
        search: GitHub.RepoSearch,
        isSignedIn: Bool,
        missing: GitHub.Login = GitHub.Login("conformance-nobody")
    ) -> [ConformanceRule<any GitHub.RepoRepository>] {
        var rules = Rule.list("the list") { repos, cursor throws(BrowseError) in
            try await repos.page(of: list, at: cursor)
        }
        rules += Rule.list("the search") { repos, cursor throws(BrowseError) in
            try await repos.search(search, at: cursor)
        }
        rules += Rule.search(search.text) { repos, text, cursor throws(BrowseError) in
            let search = GitHub.RepoSearch(text: text, sort: search.sort, order: search.order)
            return try await repos.search(search, at: cursor)
        }
        rules.append(
            .notFound("The list of an account that doesn't exist") { repos throws(BrowseError) in
                try await repos.page(of: .publicRepos(of: missing), at: nil)
            }
        )
        rules += singleRules(list: list, missing: missing)
        return isSignedIn ? rules : rules + visitorRules
    }

    private static let missingRepo = GitHub.Repo.ID(rawValue: .max)

    private typealias Rule = ConformanceRule<any GitHub.RepoRepository>

    private static func singleRules(
        list: GitHub.RepoList,
        missing: GitHub.Login
    ) -> [Rule] {
        [
            Rule("A listed repository is found by its number, and by its name in any case.") { repos, require in
                guard let listed = try await repos.page(of: list, at: nil).items.first else {
                    return try require(false, "the list is empty.")
                }
                let owner = String(listed.fullName.prefix { $0 != "/" })
                for (name, owner) in [(listed.name, owner), (listed.name.uppercased(), owner.uppercased())] {
                    let found = try await repos.details(named: name, of: GitHub.Login(owner))
                    try require(found.id == listed.id, "\(owner)/\(name) is \(found.repo.fullName).")
                }
                let found = try await repos.details(of: listed.id)
                try require(found.id == listed.id, "the number \(listed.id) is that of \(found.repo.fullName).")
            },
            .notFound("A repository that doesn't exist") { repos throws(BrowseError) in
                try await repos.details(named: unmatchedText, of: missing)
            },
            .notFound("A number that no repository has") { repos throws(BrowseError) in
                try await repos.details(of: missingRepo)
            },
            Rule("A repository that doesn't exist has no README.") { repos, require in
                let readme = try await repos.readme(of: missingRepo)
                try require(readme == nil, "it has one.")
            },
            .cancellation("read of a repository") { repos throws(BrowseError) in
                try await repos.details(named: unmatchedText, of: missing)
            },
            .cancellation("read of a README") { repos throws(BrowseError) in
                try await repos.readme(of: missingRepo)
            },
        ]
    }

    private static var visitorRules: [Rule] {
        [("own", GitHub.RepoList.own), ("starred", .starred)].map { name, list in
            Rule("The \(name) repositories are `.unauthorized` without a signed-in user.") {
                repos,
                require in
                let result = await outcome { () throws(BrowseError) in try await repos.page(of: list, at: nil) }
                guard case .failure(.unauthorized) = result else { return try require(false, describe(result)) }
            }
        }
    }
}
