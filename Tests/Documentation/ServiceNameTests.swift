import Foundation
import TestLimits
import Testing

// Only if the sources are available.
#if os(Linux) || os(macOS)
@Suite(.bounded) struct `The core` {
    /// The folders of services, and of what combines all of them.
    private static let serviceFolders: Set = ["All", "AppStore", "GitHub", "RickAndMorty"]
    /// Without spaces, in lowercase.
    private static let names = ["github", "appstore", "rickandmorty", "itunes"]
    /// Prefixes of well-known tokens, which are masked whatever the service.
    private static let allowedTexts = ["\"github_pat_\""]

    @Test(arguments: [
        "Sources/Domain", "Sources/Data", "Sources/Presentation", "Sources/BrowseKit", "Mocks", "Testing",
    ])
    func `names no service`(row: String) throws {
        let folder = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: row, directoryHint: .isDirectory)
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            let path = file.pathComponents.dropFirst(folder.pathComponents.count)
            guard Self.serviceFolders.isDisjoint(with: path) else { continue }
            count += 1
            #expect(try namingLines(of: file) == [], "\(path.joined(separator: "/"))")
        }
        #expect(count > 0)
    }

    /// Returns the lines that name a service, except those that cite the source of a rule.
    private func namingLines(of file: URL) throws -> [Substring] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { line in
            let text = Self.allowedTexts.reduce(line.lowercased()) { $0.replacing($1, with: "") }
                .replacing(" ", with: "")
            return Self.names.contains(where: text.contains) && !line.contains("// Source")
        }
    }
}
#endif
