import Foundation

/// The things of the Rick and Morty API's fixtures.
///
/// The files `character-N`, `episode-N` and `location-N` are the pages of the three lists as the API sends them, so that a
/// new page needs no code.
struct RickAndMortyFixtures: Sendable {
    /// The lists of the API, as its paths and the files call them.
    enum Kind: String, CaseIterable, Sendable {
        case character, episode, location

        /// What can be looked for, as the query calls it, and whether a part of the field is enough.
        var filters: [(name: String, isPart: Bool)] {
            switch self {
            // `male` is a part of `Female`, so that a gender counts as a whole.
            case .character:
                [("name", true), ("status", true), ("species", true), ("type", true), ("gender", false)]
            case .episode: [("name", true), ("episode", true)]
            case .location: [("name", true), ("type", true), ("dimension", true)]
            }
        }

        /// The field that lists what is related, by whole addresses.
        var related: String {
            switch self {
            case .character: "episode"
            case .episode: "characters"
            case .location: "residents"
            }
        }
    }

    /// One thing.
    struct Item: Sendable {
        let id: Int64
        /// The fields that are texts.
        let fields: [String: String]
        /// The thing as it stands in the file.
        let json: Data
    }

    /// Why the fixtures cannot be used.
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    /// The bundled fixtures, read once.
    static let bundled = Result<RickAndMortyFixtures, Unreadable> { () throws(Unreadable) in
        try RickAndMortyFixtures()
    }

    private var items: [Kind: [Item]] = [:]

    /// Every thing of a kind, in the order of their numbers.
    func items(of kind: Kind) -> [Item] {
        items[kind] ?? []
    }

    private init() throws(Unreadable) {
        do {
            let names = try Fixture.names(in: "RickAndMorty")
            for kind in Kind.allCases {
                let pages = names.filter { $0.hasPrefix("RickAndMorty/\(kind.rawValue)-") }
                items[kind] = try pages.flatMap { try Self.items(of: Fixture($0)) }.sorted { $0.id < $1.id }
            }
        } catch {
            throw Unreadable(description: "The Rick and Morty fixtures cannot be read: \(error)")
        }
    }

    private static func items(of page: Fixture) throws -> [Item] {
        let key = Data("\"results\":".utf8)
        guard let start = page.data.range(of: key)?.upperBound, let rows = page.data[start...].jsonRows() else {
            throw Unreadable(description: "\(page.name) is not a page.")
        }
        return try rows.map { row in
            let fields = try JSONSerialization.jsonObject(with: row) as? [String: Any] ?? [:]
            guard let id = fields["id"] as? NSNumber else {
                throw Unreadable(description: "\(page.name) has a row without a number.")
            }
            return Item(id: id.int64Value, fields: fields.compactMapValues { $0 as? String }, json: row)
        }
    }
}
