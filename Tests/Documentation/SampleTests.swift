import Foundation
import TestLimits
import Testing

/// Checks that the samples of the documentation are compiled, here or in an example.
@Suite(.bounded) struct `The samples of the documentation` {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func texts(in folder: String, _ ending: String) -> [(name: String, text: String)] {
        let folder = root.appending(path: folder)
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(ending) && !$0.contains(".build") }.sorted().compactMap { name in
            (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)).map { (name, $0) }
        }
    }

    /// Removes indentation and comment marks from a line.
    private static func code(_ line: Substring) -> String {
        line.trimmingCharacters(in: .whitespaces).trimmingPrefix("///").trimmingCharacters(in: .whitespaces)
    }

    /// Whether a line isn't compared: it's blank, or depends on the package that the code is in.
    private static func isOmitted(_ line: String) -> Bool {
        line.isEmpty || ["import ", ".package", ".product"].contains(where: line.hasPrefix)
    }

    /// Returns the lines of each sample, without imports and indentation.
    private static func samples() -> [(name: String, lines: [String])] {
        var texts =
            texts(in: "Sources", ".swift") + texts(in: "Mocks", ".swift")
            + texts(in: "Testing", ".swift") + texts(in: "Docs", ".md")
        if let readMe = try? String(contentsOf: root.appending(path: "README.md"), encoding: .utf8) {
            texts.append(("README.md", readMe))
        }
        return texts.flatMap { name, text in
            var samples: [(String, [String])] = []
            var current: [String]?
            var isFenced = false
            for line in text.split(separator: "\n") {
                let line = code(line)
                if line.hasPrefix("```") {
                    if let lines = current, !lines.isEmpty { samples.append((name, lines)) }
                    isFenced.toggle()
                    // DocC shows an untagged sample of a comment as Swift.
                    let isSwift = line == "```swift" || line == "```" && name.hasSuffix(".swift")
                    current = isFenced && isSwift ? [] : nil
                } else if !isOmitted(line) {
                    current?.append(line)
                }
            }
            return samples
        }
    }

    @Test func `are all compiled`() throws {
        let folders = [
            "Tests/Documentation", "Docs/Examples/Books", "Docs/Examples/Letters", "Docs/Examples/Export",
            "Docs/Examples/SwiftUI", "Sources/BrowseKit/SwiftUI",
            "Docs/Examples/Terminal/Tests/App", "Docs/Examples/SharedStores/Tests", "Docs/Examples/Web/Sources",
        ]
        let sources = folders.flatMap { Self.texts(in: $0, ".swift") }
        let compiled = sources.flatMap { _, text in
            text.split(separator: "\n").map(Self.code).filter { !Self.isOmitted($0) }
        }
        let samples = Self.samples()
        #expect(samples.count >= 10)
        for (name, lines) in samples {
            let isCompiled = compiled.indices.contains { compiled[$0...].starts(with: lines) }
            #expect(isCompiled, "\(name): \(lines.joined(separator: "\n"))")
        }
    }
}
