import Foundation
import TestLimits
import Testing

/// Finds shapes of code that compile, but don't work (Decision 6).
@Suite(.bounded)
struct `The SDK's code` {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Returns the tuples in code that are created around an `await`.
    ///
    /// A tuple is a list in parentheses that doesn't follow a name, a call, or a type.
    static func tuplesAroundWaits(in code: String) -> [String] {
        let lines = code.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.drop { $0.isWhitespace }.hasPrefix("//") ? "" : line.replacing(#/"(?:[^"\\]|\\.)*"/#, with: "\"\"")
        }
        let text = Array(lines.joined(separator: "\n"))
        let keywords = ["return", "in", "await", "try", "else", "throw"]
        var found: [String] = []
        for start in text.indices where text[start] == "(" {
            let before = text[..<start].reversed().drop { $0 == " " || $0 == "\n" }
            let word = String(before.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "`" }.reversed())
            let isCall = word.isEmpty ? before.first.map { ")]>?!}".contains($0) } == true : !keywords.contains(word)
            guard !isCall else { continue }
            var depth = 0
            var closures = 0
            var hasComma = false
            var waits = false
            for end in text.indices[start...] {
                switch text[end] {
                case "{": closures += 1
                case "}": closures -= 1
                case "(", "[": depth += 1
                case ")", "]": depth -= 1
                case "," where depth == 1 && closures == 0: hasComma = true
                case "a" where closures == 0: waits = waits || text[end...].starts(with: "await ")
                default: break
                }
                guard depth == 0 else { continue }
                if hasComma, waits { found.append(String(text[start...end])) }
                break
            }
        }
        return found
    }

    @Test func `awaits the parts of tuples before it creates them`() throws {
        for folder in ["Sources", "Mocks", "Testing"] {
            let files = FileManager.default.enumerator(atPath: Self.root.appending(path: folder).path)
            for case let file as String in try #require(files) where file.hasSuffix(".swift") {
                let path = Self.root.appending(path: folder).appending(path: file)
                let found = Self.tuplesAroundWaits(in: try String(contentsOf: path, encoding: .utf8))
                #expect(found == [], "\(folder)/\(file)")
            }
        }
    }

    @Test(arguments: [
        ("return (start, try await page())", true), ("group.addTask { (index, await of(index)) }", true),
        ("let (a, b) = (try await a(), try await b())", true), ("let pair = (1,\n    .success(await load()))", true),
        ("load(start, try await page())", false), ("(index, { await load() })", false),
        ("let page = try await page()\nreturn (start, page)", false), ("(try await pages()).first", false),
        ("try await send(a, b)", false), ("// return (a, await b)", false), ("init(a: Int, b: () async -> Int)", false),
    ])
    func `is read as Swift reads it`(code: String, hasTuple: Bool) {
        #expect(Self.tuplesAroundWaits(in: code).isEmpty != hasTuple)
    }

    @Test func `gives the sheet of a stack the action that opens routes, and opens the sheet by links, too`() throws {
        let file = Self.root.appending(path: "Sources/BrowseKit/SwiftUI/BrowseStack.swift")
        let code = try String(contentsOf: file, encoding: .utf8)
        let sheet = try #require(code.range(of: ".sheet(isPresented:"))
        let action = try #require(code.range(of: ".environment(\\.openBrowseRoute"))
        #expect(sheet.lowerBound < action.lowerBound)
        #expect(code.contains("case .signIn?:"))
    }
}
