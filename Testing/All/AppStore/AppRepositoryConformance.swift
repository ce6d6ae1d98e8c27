public import BrowseAppStoreDomain
public import BrowseCoreTesting
import BrowseDomain

/// The rules of `AppStore.AppRepository`.
public enum AppRepositoryConformance {
    /// The rules for every repository.
    ///
    /// - Parameters:
    ///   - term: A search with at least two results, the first of which has a bundle identifier.
    ///   - storefront: The store to search.
    ///   - missing: The ID of an app that the store doesn't have.
    public static func rules(
        search term: AppStore.SearchTerm,
        in storefront: AppStore.Storefront = AppStore.Storefront(),
        missing: AppStore.AppID
    ) -> [ConformanceRule<any AppStore.AppRepository>] {
        var rules = searchRules(term, in: storefront)
        rules.append(lookUpRule(term, in: storefront))
        rules.append(
            .notFound("An app that doesn't exist") { apps throws(BrowseError) in
                try await apps.lookUp(.id(missing), in: storefront)
            }
        )
        rules.append(
            .cancellation("lookup") { apps throws(BrowseError) in try await apps.lookUp(.id(missing), in: storefront) }
        )
        rules.append(
            .cancellation("search") { apps throws(BrowseError) in
                try await apps.search(for: term, in: storefront, limit: 1)
            }
        )
        return rules
    }

    private typealias Rule = ConformanceRule<any AppStore.AppRepository>

    private static func lookUpRule(_ term: AppStore.SearchTerm, in storefront: AppStore.Storefront) -> Rule {
        Rule("A found app is found by its ID, and by its bundle identifier in any case.") { apps, require in
            guard let app = try await apps.search(for: term, in: storefront, limit: 10).items.first,
                let bundleID = app.bundleID
            else { return try require(false, "nothing is found.") }
            let same = try await apps.lookUp(.id(app.id), in: storefront)
            try require(same.id == app.id && same.name == app.name, "its ID is that of \(same.name).")
            for text in [bundleID.rawValue, bundleID.rawValue.uppercased()] {
                let found = try await apps.lookUp(.bundleID(.init(rawValue: text)), in: storefront)
                try require(found.id == app.id, "\(text) is \(found.name).")
            }
        }
    }

    private static func searchRules(
        _ term: AppStore.SearchTerm,
        in storefront: AppStore.Storefront
    ) -> [Rule] {
        [
            Rule("A search has each result once, and no next page.") { apps, require in
                let found = try await apps.search(for: term, in: storefront, limit: 50)
                let ids = found.items.map(\.id)
                try require(ids.count >= 2, "\(ids.count) are found; choose another text.")
                try require(Set(ids).count == ids.count, "\(ids.count - Set(ids).count) are repeated.")
                let countries = Set(ids.map { $0.country?.code ?? "none" })
                try require(countries == [storefront.country.code], "their countries are \(countries).")
                try require(found.next == nil, "there is a next page.")
            },
            Rule("The limit of a search is clamped to 1 through 200.") { apps, require in
                for limit in [-1, 0, 1] {
                    let count = try await apps.search(for: term, in: storefront, limit: limit).items.count
                    try require(count == 1, "\(limit) finds \(count).")
                }
                let count = try await apps.search(for: term, in: storefront, limit: .max).items.count
                try require((2...200).contains(count), "the largest limit finds \(count).")
            },
            Rule("A search without results is an empty page.") { apps, require in
                let text = try AppStore.SearchTerm(unmatchedText)
                let count = try await apps.search(for: text, in: storefront, limit: 10).items.count
                try require(count == 0, "\(count) are found.")
            },
        ]
    }
}
