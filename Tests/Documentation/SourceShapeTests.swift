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

    /// Returns the declarations of task-local functions in code, whose types are written or inferred.
    static func taskLocalFunctions(in code: String) -> [String] {
        code.matches(of: #/@TaskLocal[^\n=]*(?:->[^\n]*|= *\{[^\n]*)/#).map { String($0.output) }
    }

    /// Returns the findings in all files of the SDK, with their files.
    private static func findings(of rule: (String) -> [String]) throws -> [String] {
        try ["Sources", "Mocks", "Testing"].flatMap { folder in
            let files = try #require(FileManager.default.enumerator(atPath: root.appending(path: folder).path))
            return try files.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.flatMap { file in
                let path = root.appending(path: folder).appending(path: file)
                return rule(try String(contentsOf: path, encoding: .utf8)).map { "\(folder)/\(file): \($0)" }
            }
        }
    }

    /// iOS encrypts files of some classes while the device is locked, and doesn't open them (`EPERM`).
    @Test func `asks a person to unlock the device, and not to correct permissions`() throws {
        let file = Self.root.appending(path: "Sources/Data/Core/Storage/StorageFile.swift")
        let code = try String(contentsOf: file, encoding: .utf8)
        let systems = "#if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)"
        let locked = try #require(code.range(of: "case EPERM: .locked"))
        let others = try #require(code.range(of: "case EACCES, EPERM,"))
        #expect(code[..<locked.lowerBound].contains(systems) && locked.upperBound < others.lowerBound)
        #expect(code.contains("case SQLITE_AUTH: Self.reason(of: EPERM)"))
    }

    @Test func `awaits the parts of tuples before it creates them`() throws {
        #expect(try Self.findings(of: Self.tuplesAroundWaits) == [])
    }

    @Test func `makes no function task-local`() throws {
        #expect(try Self.findings(of: Self.taskLocalFunctions) == [])
    }

    @Test(arguments: [
        ("@TaskLocal static var now: @Sendable () -> Date = { Date() }", true),
        ("@TaskLocal static var f = { 1 }", true),
        ("@TaskLocal private static var work: (@Sendable (Int) -> Void)?", true),
        ("@TaskLocal static var current: Options = Options()", false),
        ("@TaskLocal static var time = Time { Date() }", false),
    ])
    func `finds task-local functions`(code: String, isFunction: Bool) {
        #expect(Self.taskLocalFunctions(in: code).isEmpty != isFunction)
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

    /// The placeholder would flash at each change of the text size, or of the scale of the display.
    @Test func `shows another size of an image until the right one is decoded`() throws {
        let file = Self.root.appending(path: "Sources/BrowseKit/SwiftUI/BrowseImage.swift")
        let code = try String(contentsOf: file, encoding: .utf8)
        let cached = try #require(code.range(of: "if decoded?.request != request, let cached"))
        let other = try #require(code.range(of: "decoded?.request.address == request.address ? decoded?.image : nil"))
        #expect(cached.lowerBound < other.lowerBound)
    }

    @Test func `gives the sheet of a stack the action that opens routes, and opens the sheet by links, too`() throws {
        let folder = Self.root.appending(path: "Sources/BrowseKit/SwiftUI")
        let code = try String(contentsOf: folder.appending(path: "BrowseStack.swift"), encoding: .utf8)
        let sheet = try #require(code.range(of: ".sheet(isPresented:"))
        let action = try #require(code.range(of: ".environment(\\.openBrowseRoute"))
        #expect(sheet.lowerBound < action.lowerBound)
        let link = try String(contentsOf: folder.appending(path: "BrowseLink.swift"), encoding: .utf8)
        #expect(link.contains("case let route? where route == .signIn"))
    }

    @Test func `opens links by an app's own action, if its navigation has one`() throws {
        let file = Self.root.appending(path: "Sources/BrowseKit/SwiftUI/BrowseLink.swift")
        let code = try String(contentsOf: file, encoding: .utf8)
        let link = try #require(code.range(of: "case let route?: NavigationLink(value: route)"))
        let action = try #require(code.range(of: "|| !openRoute.hasLinks:"))
        #expect(action.lowerBound < link.lowerBound)
    }

    /// A double click would push the screen twice.
    @Test func `pushes the screen on top once`() throws {
        let file = Self.root.appending(path: "Sources/BrowseKit/SwiftUI/BrowseStack.swift")
        let code = try String(contentsOf: file, encoding: .utf8)
        #expect(code.contains("if navigator.path.last != route { navigator.path.append(route) }"))
        #expect(code.matches(of: #/path\.append\(/#).count == 1)
    }

    /// A notice is as high as its text, and stays until it's closed.
    @Test func `limits the text of notices, whose button must stay on the screen`() throws {
        let file = Self.root.appending(path: "Sources/BrowseKit/SwiftUI/BrowseMessage.swift")
        let code = try String(contentsOf: file, encoding: .utf8)
        let banner = try #require(code.range(of: "struct NoticeBanner"))
        let limit = try #require(code.range(of: ".dynamicTypeSize(...DynamicTypeSize.accessibility2)"))
        #expect(banner.lowerBound < limit.lowerBound)
    }
}
