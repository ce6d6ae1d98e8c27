public import BrowseCoreTesting
import BrowseDomain
public import BrowseGitHubDomain

/// The rules of `GitHub.StarRepository`. Each needs a repository of a signed-in user, and changes
/// stars.
public enum StarRepositoryConformance {
    /// The rules for every repository.
    ///
    /// - Parameter repo: A code repository that isn't starred.
    public static func rules(repo: GitHub.Repo) -> [ConformanceRule<any GitHub.StarRepository>] {
        writeRules(of: repo) + readRules(of: repo)
    }

    private typealias Rule = ConformanceRule<any GitHub.StarRepository>

    private static func readRules(of repo: GitHub.Repo) -> [Rule] {
        [
            Rule("The starred list contains each repository once.") { stars, require in
                try await stars.set(true, for: repo)
                let ids = try await all(stars)
                try require(Set(ids).count == ids.count, "\(ids.count - Set(ids).count) are repeated.")
            },
            Rule("An error of the receiver ends the delivery, and is rethrown.") { stars, require in
                let refusal = BrowseError.refused(.foreignPage, BrowseError.RequestInfo(endpoint: "CONFORMANCE"))
                var count = 0
                let result = await outcome { () throws(BrowseError) in
                    try await stars.starred { _ throws(BrowseError) in
                        count += 1
                        throw refusal
                    }
                }
                guard case .failure(refusal) = result else { return try require(false, describe(result)) }
                try require(count == 1, "\(count) pages were delivered.")
            },
            Rule("A repository that doesn't exist isn't starred.") { stars, require in
                let name = unmatchedText
                let missing = GitHub.Repo(id: .init(rawValue: .max), name: name, fullName: "\(name)/\(name)")
                let isStarred = try await stars.isStarred(missing)
                try require(!isStarred, "it is.")
            },
            .cancellation("read of a star") { stars throws(BrowseError) in try await stars.isStarred(repo) },
            .cancellation("read of the starred list") { stars throws(BrowseError) in
                try await stars.starred { _ in }
            },
        ]
    }

    private static func writeRules(of repo: GitHub.Repo) -> [Rule] {
        [
            Rule("A star is set, and is the first of the list.") { stars, require in
                let before = try await stars.isStarred(repo)
                try require(!before, "it was set before.")
                try await stars.set(true, for: repo)
                let isStarred = try await stars.isStarred(repo)
                try require(isStarred, "it isn't set.")
                let ids = try await all(stars)
                try require(ids.first == repo.id, "the first is \(ids.first.map { "\($0.rawValue)" } ?? "missing").")
            },
            Rule("A star is removed.") { stars, require in
                try await stars.set(true, for: repo)
                try await stars.set(false, for: repo)
                let isStarred = try await stars.isStarred(repo)
                try require(!isStarred, "it's still set.")
                let ids = try await all(stars)
                try require(!ids.contains(repo.id), "it's still in the list.")
            },
            Rule("Repeating a change has no effect.") { stars, require in
                for isStarred in [true, false] {
                    try await stars.set(isStarred, for: repo)
                    let once = try await all(stars)
                    try await stars.set(isStarred, for: repo)
                    let twice = try await all(stars)
                    try require(once == twice, "\(once.count) stars become \(twice.count).")
                }
            },
            Rule("A canceled change is `.cancelled`, and changes nothing.") { stars, require in
                let result = await canceled { () throws(BrowseError) in try await stars.set(true, for: repo) }
                guard case .failure(.cancelled) = result else { return try require(false, describe(result)) }
                let isStarred = try await stars.isStarred(repo)
                try require(!isStarred, "the star is set.")
            },
        ]
    }

    private static func all(_ stars: any GitHub.StarRepository) async throws(BrowseError) -> [GitHub.Repo.ID] {
        var ids: [GitHub.Repo.ID] = []
        try await stars.starred { page in ids += page.items }
        return ids
    }
}
