import Foundation
import TestLimits
import Testing

/// Finds types in files in which a reader doesn't look for them.
///
/// A type is in `Type.swift` or `Type+Part.swift`. One that is nested can be in the file of the type
/// around it, and have both names: `RickAndMortyRepository`. Types of one kind can share a file with
/// a plural: `Filters`. Private types are in the only file that uses them, and aliases aren't types.
@Suite(.bounded)
struct `The SDK's types` {
    /// The types that are elsewhere, none of which may be added.
    private static let exceptions: Set = [
        // They are on the way of a page, of whose files there are enough.
        "JSONReadable: DTO", "JSONReadable: JSONKey", "LoadOptions: Loaded", "Provenance: ProvenanceRecord",
        "StateStore: StateSubject", "StateStore: States",
        // A file of views has four lines more than its views, of whose lines there are enough.
        "BrowseDetail: BrowseFacts", "BrowseImage: BrowseImagePlaceholder", "BrowseMessage: MessageRow",
        "BrowseMessage: NoticeBanner", "BrowseMessage: Placeholder", "BrowseRows: BrowseRelatedSection",
        "BrowseStack: OpenBrowseRouteAction",
    ]

    /// Returns the types that a file of this name shouldn't have.
    static func misplacedTypes(in code: String, named file: String) -> [String] {
        let declaration =
            #/( {4})?((?:@\w+(?:\([^)]*\))? |\w+ )*?)(struct|class|enum|actor|protocol|extension) (\w+(?:\.\w+)*)/#
        let stem = file.prefix { $0 != "+" }
        // The last word of a plural: `Row` of `ListRows`.
        let kind = stem.last == "s" ? stem.lastIndex(where: \.isUppercase).map { stem[$0...].dropLast() } : nil
        var outer: [Substring] = []
        var misplaced: [String] = []
        for line in code.split(separator: "\n") {
            if line == "}" { outer = [] }
            guard let match = line.prefixMatch(of: declaration) else { continue }
            let (_, indent, modifiers, keyword, name) = match.output
            let names = name.split(separator: ".")
            // A type in the body of another one is in the file of that.
            if indent == nil { outer = keyword == "extension" && line.last != "}" ? names : [] }
            let isType = keyword != "extension" && (indent == nil || !outer.isEmpty)
            guard isType, !modifiers.contains(/private|import/) else { continue }
            let path = indent == nil ? names : outer + names
            let isNamed = path.contains(stem) || path.joined(separator: "") == stem
            let isOfKind = kind.map { name.hasSuffix($0) } == true
            if !isNamed, !isOfKind { misplaced.append(path.joined(separator: ".")) }
        }
        return misplaced
    }

    @Test func `are in files of their names`() throws {
        let root = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        var misplaced: Set<String> = []
        for name in ["Sources", "Mocks", "Testing"] {
            let folder = root.appending(path: name, directoryHint: .isDirectory)
            let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
            for case let file as URL in files where file.pathExtension == "swift" {
                let name = file.deletingPathExtension().lastPathComponent
                let code = try String(contentsOf: file, encoding: .utf8)
                for type in Self.misplacedTypes(in: code, named: name) { misplaced.insert("\(name): \(type)") }
            }
        }
        #expect(misplaced.subtracting(Self.exceptions) == [], "Move each into a file of its name.")
        #expect(Self.exceptions.subtracting(misplaced) == [], "Remove these from the exceptions.")
    }

    @Test(arguments: [
        ("public struct User {}", "User", ""), ("struct User {}\nstruct Login {}", "User", "Login"),
        ("@MainActor public final class Users {\n    struct Row {}\n}\nactor Store {}", "Users+Row", "Store"),
        ("extension GitHub {\n    public enum Screen {}\n}", "GitHub+Screen", ""),
        ("extension GitHub {\n    public enum Screen {}\n}", "Screen", ""),
        ("extension GitHub {\n    public enum Screen {}\n}", "GitHubScreen", ""),
        ("extension GitHub.User {\n    struct Name {}\n}", "Login", "GitHub.User.Name"),
        ("extension [User] {\n    func sorted() {}\n}\nprotocol Named {}", "User", "Named"),
        ("protocol Row {}\nstruct UserRow {}\nstruct Rows {}\nstruct RowKey {}", "ListRows", "Rows RowKey"),
        ("private struct Helper {}\nfileprivate final class Box {}\ntypealias Name = String", "User", ""),
        ("@_spi(Services) public struct JSONKey: CodingKey {}", "JSONReadable", "JSONKey"),
        ("public import struct Foundation.URL\nstruct User {}", "User", ""),
        ("/// A class Other {\nlet text = 1\nfunc user() {\n    struct Local {}\n}", "User", ""),
    ])
    func `are found as Swift nests them`(code: String, file: String, misplaced: String) {
        #expect(Self.misplacedTypes(in: code, named: file).joined(separator: " ") == misplaced)
    }
}
