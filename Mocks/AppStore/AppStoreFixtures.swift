import Foundation

/// The apps of the App Store's fixtures.
///
/// `apps` are in the shops of all countries, `apps-CC` in that of one country, where they take the place of those with the
/// same number. So a new file needs no code.
struct AppStoreFixtures: Sendable {
    /// A row, and what is looked for in it.
    struct App: Sendable {
        let id: Int64
        let bundleID: String?
        let isForMac: Bool
        /// Name and developer, in lower case.
        let texts: [String]
        /// The row as it stands in the file.
        let row: Data
    }

    /// Why the fixtures cannot be used.
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    /// The bundled fixtures, read once.
    static let bundled = Result<AppStoreFixtures, Unreadable> { () throws(Unreadable) in try AppStoreFixtures() }

    private var everywhere: [App] = []
    private var national: [String: [App]] = [:]

    private init() throws(Unreadable) {
        do {
            for name in try Fixture.names(in: "AppStore") {
                let parts = name.split(separator: "/").last?.split(separator: "-") ?? []
                guard parts.first == "apps" else { continue }
                let apps = try Self.apps(in: Fixture(name))
                if parts.count > 1 { national[String(parts[1])] = apps } else { everywhere = apps }
            }
        } catch {
            throw Unreadable(description: "\(error)")
        }
    }

    /// The apps in the shop of a country, by its two letters in any case.
    func apps(in country: String) -> [App] {
        let own = national[country.lowercased()] ?? []
        let ids = Set(own.map(\.id))
        return own + everywhere.filter { !ids.contains($0.id) }
    }

    private static func apps(in fixture: Fixture) throws -> [App] {
        let fields = try JSONDecoder().decode(Envelope.self, from: fixture.data).results
        // The rows are the only list of the envelope itself.
        guard let start = fixture.data.firstIndex(of: UInt8(ascii: "[")),
            let rows = fixture.data[start...].jsonRows(), rows.count == fields.count
        else { throw Unreadable(description: "\(fixture.name) has no rows.") }
        return zip(fields, rows).map { fields, row in
            App(
                id: fields.trackID,
                bundleID: fields.bundleID,
                isForMac: fields.kind == "mac-software",
                texts: [fields.trackName, fields.artistName ?? ""].map { $0.lowercased() },
                row: row
            )
        }
    }

    private struct Envelope: Decodable {
        let results: [Row]
    }

    private struct Row: Decodable {
        let trackID: Int64
        let trackName: String
        let bundleID: String?
        let artistName: String?
        let kind: String?

        private enum CodingKeys: String, CodingKey {
            case trackName, artistName, kind
            case trackID = "trackId"
            case bundleID = "bundleId"
        }
    }
}
