import Foundation

/// The availability of symbols, from the symbol graphs of the toolchain's modules and the stand-ins.
struct Availability {
    /// The required versions of symbols that are newer than a platform of the manifest, by USR.
    private(set) var newer: [String: String] = [:]
    private let minimums: [String: [Int]]

    /// The toolchain's modules that Apple platforms also have; Foundation's parts are separate.
    private static let modules = [
        "Swift", "_Concurrency", "_StringProcessing", "RegexBuilder", "Synchronization", "Observation", "Testing",
        "FoundationEssentials", "FoundationInternationalization",
    ]

    /// Extracts and reads the symbol graphs.
    ///
    /// - Parameters:
    ///   - minimums: The platforms of the manifest.
    ///   - standIns: The stand-ins for Apple's modules.
    init(_ toolchain: Toolchain, minimums: [Manifest.Minimum], standIns: [Module], folder: URL) throws {
        let names = ["macos": "macOS", "ios": "iOS", "tvos": "tvOS", "watchos": "watchOS", "visionos": "visionOS"]
        self.minimums = Dictionary(
            uniqueKeysWithValues: minimums.map { (names[$0.platformName] ?? $0.platformName, Self.version($0.version)) }
        )
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let searched = Set(standIns.flatMap { $0.searched + [$0.folder] }).sorted { $0.path < $1.path }
        for module in Self.modules + Set(standIns.map(\.name)).sorted() {
            try run(
                ["swift", "symbolgraph-extract", "-module-name", module, "-target", toolchain.target]
                    + ["-output-dir", folder.path, "-minimum-access-level", "public", "-skip-synthesized-members"]
                    + ["-I", toolchain.repository.path + "/Sources/CBrowseSQLite"]
                    + searched.flatMap { ["-I", $0.path] }
            )
        }
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            let graph = try JSONDecoder().decode(Graph.self, from: Data(contentsOf: file))
            for symbol in graph.symbols { add(symbol) }
        }
        guard newer.count > 100 else {
            throw Failure("The symbol graphs name only \(newer.count) symbols that are newer.")
        }
    }

    private mutating func add(_ symbol: Graph.Symbol) {
        let late = (symbol.availability ?? []).filter { item in
            guard let domain = item.domain, let introduced = item.introduced, let minimum = minimums[domain] else {
                return false
            }
            return minimum.lexicographicallyPrecedes([introduced.major, introduced.minor ?? 0])
        }
        guard !late.isEmpty else { return }
        let versions = late.map { "\($0.domain ?? "") \($0.introduced?.major ?? 0).\($0.introduced?.minor ?? 0)" }
        newer[symbol.identifier.precise] =
            symbol.pathComponents.joined(separator: ".") + " needs " + versions.formatted()
    }

    private static func version(_ text: String) -> [Int] {
        let parts = text.split(separator: ".").compactMap { Int($0) }
        return parts.count == 1 ? parts + [0] : parts
    }

    private struct Graph: Decodable {
        struct Symbol: Decodable {
            struct Identifier: Decodable { let precise: String }
            struct Version: Decodable {
                let major: Int
                let minor: Int?
            }
            struct Availability: Decodable {
                let domain: String?
                let introduced: Version?
            }
            let identifier: Identifier
            let pathComponents: [String]
            let availability: [Availability]?
        }
        let symbols: [Symbol]
    }
}
