public import BrowseDomain

/// The rules of `RickAndMorty.CharacterRepository`.
public enum CharacterRepositoryConformance {
    /// The rules for every repository that has at least two pages of characters.
    ///
    /// - Parameter missing: An ID that doesn't exist.
    public static func rules(
        missing: RickAndMorty.Character.ID = RickAndMorty.Character.ID(rawValue: 999_999_999)
    ) -> [ConformanceRule<any RickAndMorty.CharacterRepository>] {
        RickAndMortyRules(
            page: { characters, name, cursor throws(BrowseError) in
                try await characters.page(of: RickAndMorty.CharacterFilter(name: name), at: cursor)
            },
            one: { characters, id throws(BrowseError) in try await characters.character(id) },
            several: { characters, ids throws(BrowseError) in try await characters.characters(ids) },
            name: \.name
        ).rules(missing: missing)
    }
}

/// The rules of `RickAndMorty.EpisodeRepository`.
public enum EpisodeRepositoryConformance {
    /// The rules for every repository that has at least two pages of episodes.
    ///
    /// - Parameter missing: An ID that doesn't exist.
    public static func rules(
        missing: RickAndMorty.Episode.ID = RickAndMorty.Episode.ID(rawValue: 999_999_999)
    ) -> [ConformanceRule<any RickAndMorty.EpisodeRepository>] {
        RickAndMortyRules(
            page: { episodes, name, cursor throws(BrowseError) in
                try await episodes.page(of: RickAndMorty.EpisodeFilter(name: name), at: cursor)
            },
            one: { episodes, id throws(BrowseError) in try await episodes.episode(id) },
            several: { episodes, ids throws(BrowseError) in try await episodes.episodes(ids) },
            name: \.name
        ).rules(missing: missing)
    }
}

/// The rules of `RickAndMorty.LocationRepository`.
public enum LocationRepositoryConformance {
    /// The rules for every repository that has at least two pages of locations.
    ///
    /// - Parameter missing: An ID that doesn't exist.
    public static func rules(
        missing: RickAndMorty.Location.ID = RickAndMorty.Location.ID(rawValue: 999_999_999)
    ) -> [ConformanceRule<any RickAndMorty.LocationRepository>] {
        RickAndMortyRules(
            page: { locations, name, cursor throws(BrowseError) in
                try await locations.page(of: RickAndMorty.LocationFilter(name: name), at: cursor)
            },
            one: { locations, id throws(BrowseError) in try await locations.location(id) },
            several: { locations, ids throws(BrowseError) in try await locations.locations(ids) },
            name: \.name
        ).rules(missing: missing)
    }
}

/// The rules that the API's three kinds of entities share.
private struct RickAndMortyRules<Subject: Sendable, Entity: Identifiable & Sendable> where Entity.ID: Sendable {
    /// Reads a page of the entities with a name; all for an empty one.
    let page: @Sendable (Subject, String, PageCursor?) async throws(BrowseError) -> Page<Entity>
    let one: @Sendable (Subject, Entity.ID) async throws(BrowseError) -> Entity
    let several: @Sendable (Subject, [Entity.ID]) async throws(BrowseError) -> Page<Entity>
    let name: @Sendable (Entity) -> String

    func rules(missing: Entity.ID) -> [ConformanceRule<Subject>] {
        var rules = ConformanceRule<Subject>.list("the list") { [page] subject, cursor throws(BrowseError) in
            try await page(subject, "", cursor)
        }
        rules += filterRules + severalRules(missing: missing)
        rules.append(
            ConformanceRule("A listed item is found by its ID.") { [page, one, name] subject, require in
                for item in try await page(subject, "", nil).items.prefix(3) {
                    let found = try await one(subject, item.id)
                    try require(found.id == item.id && name(found) == name(item), "\(item.id) is \(found).")
                }
            }
        )
        rules.append(
            .notFound("An item that doesn't exist") { [one] subject throws(BrowseError) in
                try await one(subject, missing)
            }
        )
        rules.append(
            .cancellation("read of an item") { [one] subject throws(BrowseError) in
                try await one(subject, missing)
            }
        )
        return rules
    }

    private var filterRules: [ConformanceRule<Subject>] {
        [
            ConformanceRule("A filter by name finds the items that contain it, in any case.") {
                [page, name] subject, require in
                guard let item = try await page(subject, "", nil).items.first else {
                    return try require(false, "the list is empty.")
                }
                let text = name(item).uppercased()
                let found = try await page(subject, text, nil).items
                try require(found.contains { $0.id == item.id }, "\(name(item)) isn't found.")
                let other = found.first { !name($0).uppercased().contains(text) }
                try require(other == nil, "\(other.map(name) ?? "") is found.")
            },
            ConformanceRule("A filter without matches is an empty page.") { [page] subject, require in
                let found = try await page(subject, unmatchedText, nil)
                try require(found.items.isEmpty && found.next == nil, "\(found.items.count) items are found.")
            },
        ]
    }

    private func severalRules(missing: Entity.ID) -> [ConformanceRule<Subject>] {
        [
            ConformanceRule("Several items have the given order, without missing ones and repetitions.") {
                [page, several] subject, require in
                let ids = try await page(subject, "", nil).items.map(\.id).prefix(3).reversed() as [Entity.ID]
                let found = try await several(subject, [missing] + ids + ids)
                try require(found.items.map(\.id) == ids, "\(ids) are \(found.items.map(\.id)).")
                try require(found.next == nil, "the page has a next page.")
            },
            ConformanceRule("No IDs are no items.") { [several] subject, require in
                let found = try await several(subject, [])
                try require(found.items.isEmpty, "\(found.items.count) items are found.")
            },
        ]
    }
}
