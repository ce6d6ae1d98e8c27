public import BrowseCoreTesting
public import BrowseDomain
public import BrowseRickAndMortyDomain

/// The rules of `RickAndMorty.CharacterRepository`.
public typealias CharacterRepositoryConformance = RickAndMortyConformance<RickAndMorty.Character>
/// The rules of `RickAndMorty.EpisodeRepository`.
public typealias EpisodeRepositoryConformance = RickAndMortyConformance<RickAndMorty.Episode>
/// The rules of `RickAndMorty.LocationRepository`.
public typealias LocationRepositoryConformance = RickAndMortyConformance<RickAndMorty.Location>

/// The rules of `RickAndMorty.Repository`.
public enum RickAndMortyConformance<Entity: RickAndMorty.Entity> {
    /// A rule of a repository.
    public typealias Rule = ConformanceRule<any RickAndMorty.Repository<Entity>>

    /// The rules for every repository that has at least two pages of entities.
    ///
    /// - Parameter missing: An ID that doesn't exist.
    public static func rules(missing: Entity.ID = Entity.ID(rawValue: 999_999_999)) -> [Rule] {
        var rules = Rule.list("the list") { subject, cursor throws(BrowseError) in
            try await subject.page(of: Entity.Filter(), at: cursor)
        }
        rules += filterRules + severalRules(missing: missing)
        rules.append(
            ConformanceRule("A listed item is found by its ID.") { subject, require in
                for item in try await subject.page(of: Entity.Filter(), at: nil).items.prefix(3) {
                    let found = try await subject.entity(item.id)
                    try require(found.id == item.id && found.name == item.name, "\(item.id) is \(found).")
                }
            }
        )
        rules.append(
            .notFound("An item that doesn't exist") { subject throws(BrowseError) in
                try await subject.entity(missing)
            }
        )
        rules.append(
            .cancellation("read of an item") { subject throws(BrowseError) in
                try await subject.entity(missing)
            }
        )
        return rules
    }

    private static func filter(name: String) -> Entity.Filter {
        var filter = Entity.Filter()
        filter.name = name
        return filter
    }

    private static var filterRules: [Rule] {
        [
            ConformanceRule("A filter by name finds the items that contain it, in any case.") { subject, require in
                guard let item = try await subject.page(of: Entity.Filter(), at: nil).items.first else {
                    return try require(false, "the list is empty.")
                }
                let text = item.name.uppercased()
                let found = try await subject.page(of: filter(name: text), at: nil).items
                try require(found.contains { $0.id == item.id }, "\(item.name) isn't found.")
                let other = found.first { !$0.name.uppercased().contains(text) }
                try require(other == nil, "\(other?.name ?? "") is found.")
            },
            ConformanceRule("A filter without matches is an empty page.") { subject, require in
                let found = try await subject.page(of: filter(name: unmatchedText), at: nil)
                try require(found.items.isEmpty && found.next == nil, "\(found.items.count) items are found.")
            },
        ]
    }

    private static func severalRules(missing: Entity.ID) -> [Rule] {
        [
            ConformanceRule("Several items have the given order, without missing ones and repetitions.") {
                subject,
                require in
                let page = try await subject.page(of: Entity.Filter(), at: nil)
                let ids = page.items.map(\.id).prefix(3).reversed() as [Entity.ID]
                let found = try await subject.entities([missing] + ids + ids)
                try require(found.items.map(\.id) == ids, "\(ids) are \(found.items.map(\.id)).")
                try require(found.next == nil, "the page has a next page.")
            },
            .cancellation("read of several items") { subject throws(BrowseError) in
                try await subject.entities([missing, Entity.ID(rawValue: 1)])
            },
            ConformanceRule("No IDs are no items.") { subject, require in
                let found = try await subject.entities([])
                try require(found.items.isEmpty, "\(found.items.count) items are found.")
            },
        ]
    }
}
