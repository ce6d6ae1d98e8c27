import BrowseCoreMocks
import Foundation

/// The apps of ``OfflineAppStore``; those of one country replace those with the same ID.
struct AppStoreFixtures: Sendable {
    /// A row and its searched fields.
    struct App: Sendable {
        let id: Int64
        let bundleID: String?
        let isForMac: Bool
        /// The name and developer, in lowercase.
        let texts: [String]
        /// The bytes in the file.
        let row: Data
    }

    private var everywhere: [App] = []
    private var national: [String: [App]] = [:]

    /// Reads the files of apps.
    init(_ files: Fixtures) throws(Fixtures.Unreadable) {
        for name in files.names {
            let parts = name.split(separator: "-")
            guard parts.first == "apps" else { continue }
            guard parts.count == 1 || parts.count == 2 && parts[1].count == 2 else {
                throw Fixtures.Unreadable(description: "\(name) isn't apps, or apps-CC with the code of a country.")
            }
            let apps = try Self.apps(in: name, of: files)
            if parts.count > 1 { national[parts[1].lowercased()] = apps } else { everywhere = apps }
        }
    }

    /// The apps in a country, by its two letters in any case.
    func apps(in country: String) -> [App] {
        let own = national[country.lowercased()] ?? []
        let ids = Set(own.map(\.id))
        return own + everywhere.filter { !ids.contains($0.id) }
    }

    private static func apps(in name: String, of files: Fixtures) throws(Fixtures.Unreadable) -> [App] {
        let fields = try files.decoded(Envelope.self, name).results
        // The rows are the first array of the envelope.
        guard let file = try? files[name], let start = file.firstIndex(of: UInt8(ascii: "[")),
            let rows = file[start...].jsonRows(), rows.count == fields.count
        else { throw Fixtures.Unreadable(description: "\(name) has no rows.") }
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
