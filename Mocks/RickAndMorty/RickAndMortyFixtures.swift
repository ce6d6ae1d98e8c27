import BrowseCoreMocks
import Foundation

/// The characters, episodes, and locations of ``OfflineRickAndMorty``.
struct RickAndMortyFixtures: Sendable {
    /// A list of the API, by its name in paths and files.
    enum Kind: String, CaseIterable, Sendable {
        case character, episode, location

        /// The filters' names in queries, and whether they match a part of the field.
        var filters: [(name: String, isPart: Bool)] {
            switch self {
            // A gender must match completely, because `Female` contains `male`.
            case .character:
                [("name", true), ("status", true), ("species", true), ("type", true), ("gender", false)]
            case .episode: [("name", true), ("episode", true)]
            case .location: [("name", true), ("type", true), ("dimension", true)]
            }
        }

        /// The field with the URLs of related items.
        var related: String {
            switch self {
            case .character: "episode"
            case .episode: "characters"
            case .location: "residents"
            }
        }
    }

    /// One character, episode, or location.
    struct Item: Sendable {
        let id: Int64
        /// The fields that are strings.
        let fields: [String: String]
        /// The item's JSON, as in the file.
        let json: Data
    }

    private var items: [Kind: [Item]] = [:]

    /// All items of a kind, in the order of their IDs.
    func items(of kind: Kind) -> [Item] {
        items[kind] ?? []
    }

    /// Reads the pages.
    init(_ files: Fixtures) throws(Fixtures.Unreadable) {
        for kind in Kind.allCases {
            var found: [Int64: Item] = [:]
            for name in files.names where name == kind.rawValue || name.hasPrefix("\(kind.rawValue)-") {
                for item in try Self.items(of: name, in: files) {
                    guard found.updateValue(item, forKey: item.id) == nil else {
                        let problem = "\(name) has the ID \(item.id) of another item."
                        throw Fixtures.Unreadable(description: "\(problem) Change it, or replace the other file.")
                    }
                }
            }
            items[kind] = found.values.sorted { $0.id < $1.id }
        }
    }

    private static func items(of name: String, in files: Fixtures) throws(Fixtures.Unreadable) -> [Item] {
        let key = Data("\"results\"".utf8)
        guard let page = try? files[name], (try? JSONSerialization.jsonObject(with: page)) != nil,
            let end = page.range(of: key)?.upperBound, let start = page[end...].firstIndex(of: UInt8(ascii: "[")),
            let rows = page[start...].jsonRows()
        else { throw Fixtures.Unreadable(description: "\(name) isn't a page of the API.") }
        var items: [Item] = []
        for row in rows {
            let fields = (try? JSONSerialization.jsonObject(with: row)) as? [String: Any] ?? [:]
            guard let id = fields["id"] as? NSNumber else {
                throw Fixtures.Unreadable(description: "\(name) has an item without a numeric ID.")
            }
            items.append(Item(id: id.int64Value, fields: fields.compactMapValues { $0 as? String }, json: row))
        }
        return items
    }
}
