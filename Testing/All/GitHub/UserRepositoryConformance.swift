public import BrowseCoreTesting
import BrowseDomain
public import BrowseGitHubDomain

/// The rules of `GitHub.UserRepository`.
public enum UserRepositoryConformance {
    /// The rules for every repository.
    ///
    /// - Parameters:
    ///   - login: The login of an account.
    ///   - text: A search with at least two pages and fewer than 1,000 results.
    ///   - own: The signed-in account; `nil` if no user is signed in.
    ///   - missing: The login of an account that doesn't exist.
    public static func rules(
        login: GitHub.Login,
        search text: GitHub.SearchText,
        own: GitHub.Login?,
        missing: GitHub.Login = GitHub.Login("conformance-nobody")
    ) -> [ConformanceRule<any GitHub.UserRepository>] {
        var rules = profileRules(login: login, missing: missing)
        rules.append(ownRule(own))
        rules += Rule.list("the search") { users, cursor throws(BrowseError) in
            try await users.search(for: text, at: cursor)
        }
        rules += Rule.search(text) { users, text, cursor throws(BrowseError) in
            try await users.search(for: text, at: cursor)
        }
        return rules
    }

    private static let missingUser = GitHub.User.ID(rawValue: .max)

    private typealias Rule = ConformanceRule<any GitHub.UserRepository>

    private static func profileRules(
        login: GitHub.Login,
        missing: GitHub.Login
    ) -> [Rule] {
        [
            Rule("A profile is that of the login, in any case.") { users, require in
                let profile = try await users.profile(of: login)
                let isSame = profile.user.login.rawValue.lowercased() == login.rawValue.lowercased()
                try require(isSame, "it's that of \(profile.user.login).")
                let upper = try await users.profile(of: GitHub.Login(login.rawValue.uppercased()))
                try require(upper.user.id == profile.user.id, "an uppercase login has another account.")
                let same = try await users.profile(ofID: profile.user.id)
                try require(same.user.id == profile.user.id, "its number has another account.")
            },
            .notFound("The profile of an account that doesn't exist") { users throws(BrowseError) in
                try await users.profile(of: missing)
            },
            .notFound("A number that no account has") { users throws(BrowseError) in
                try await users.profile(ofID: missingUser)
            },
            .cancellation("read of a profile") { users throws(BrowseError) in try await users.profile(of: login) },
            .cancellation("read of a profile by its number") { users throws(BrowseError) in
                try await users.profile(ofID: missingUser)
            },
        ]
    }

    private static func ownRule(_ own: GitHub.Login?) -> Rule {
        guard let own else {
            return Rule("The own profile is `.unauthorized` without a signed-in user.") { users, require in
                let result = await outcome { () throws(BrowseError) in try await users.ownProfile() }
                guard case .failure(.unauthorized) = result else { return try require(false, describe(result)) }
            }
        }
        return Rule("The own profile is that of the signed-in user.") { users, require in
            let login = try await users.ownProfile().user.login
            try require(login.rawValue.lowercased() == own.rawValue.lowercased(), "it's that of \(login).")
        }
    }
}

extension ConformanceRule {
    /// The rules for the results of a search, in addition to those of a list.
    static func search<Row: Sendable>(
        _ text: GitHub.SearchText,
        read:
            @escaping @Sendable (Subject, GitHub.SearchText, PageCursor?) async throws(BrowseError)
            -> Page<Row>
    ) -> [ConformanceRule] {
        [
            ConformanceRule("The total number of results is that of all pages.") { subject, require in
                let total = try await read(subject, text, nil).totalCount
                let pages = try await allPages { cursor throws(BrowseError) in
                    try await read(subject, text, cursor)
                }
                let count = pages.reduce(0) { $0 + $1.items.count + $1.skipped.count }
                try require(count == total, "\(count) results were found, and \(String(describing: total)) announced.")
            },
            ConformanceRule("A search without results is an empty page.") { subject, require in
                let found = try await read(subject, try GitHub.SearchText(unmatchedText), nil)
                try require(found.items.isEmpty, "\(found.items.count) results were found.")
                try require(found.next == nil, "the page has a next page.")
                try require(found.totalCount == 0, "\(String(describing: found.totalCount)) results were announced.")
            },
        ]
    }
}
