import BrowseCore
import BrowseData
import Foundation
import TestLimits
import Testing

/// Compares the paths, commands, names, versions, and sizes in prose with the project.
@Suite(.bounded)
struct `The prose of the documentation` {
    private typealias Page = (path: String, text: String)

    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Returns the files below a folder with one of the endings.
    private static func files(in folder: String, _ endings: String...) -> [String] {
        let names = FileManager.default.enumerator(atPath: root.appending(path: folder).path)?.compactMap {
            $0 as? String
        }
        return (names ?? []).filter { name in endings.contains(where: name.hasSuffix) && !name.contains(".build/") }
            .sorted()
            .map { folder + "/" + $0 }
    }

    /// Returns the pages, if required also those of decisions, which can name code of the past.
    private static func pages(withDecisions: Bool = false) throws -> [Page] {
        let paths =
            ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"] + files(in: "Docs", ".md")
            + files(in: "Tests", "/README.md")
        return try paths.filter { withDecisions || !$0.contains("/Decisions/") }.map { ($0, try text($0)) }
    }

    /// Returns the code in a page: spans in backticks, and with `isFenced`, the lines of samples.
    private static func code(in page: Page, isFenced: Bool = false) -> [String] {
        var spans: [String] = []
        var isOpen = false
        for line in page.text.split(separator: "\n") {
            if line.hasPrefix("```") {
                isOpen.toggle()
            } else if isOpen {
                if isFenced { spans.append(String(line)) }
            } else {
                spans += line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                    .filter { $0.offset % 2 == 1 }.map { String($0.element) }
            }
        }
        return spans
    }

    private static func exists(_ path: String, from page: String) -> Bool {
        let folder = root.appending(path: page).deletingLastPathComponent()
        return [root, folder, root.appending(path: "Sources")].contains { base in
            let path = base.appending(path: path).standardizedFileURL.path(percentEncoded: false)
            if FileManager.default.fileExists(atPath: path) { return true }
            // Decisions are named by their numbers.
            let url = URL(filePath: path)
            guard url.lastPathComponent.count == 4, url.lastPathComponent.allSatisfy(\.isNumber) else { return false }
            let names = try? FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
            return names?.contains { $0.hasPrefix(url.lastPathComponent) } == true
        }
    }

    @Test func `links to files that exist`() throws {
        let link = try Regex(
            #"\]\(([^)\s:#]+)(?:#[^)]*)?\)|src="([^":]+)""#,
            as: (Substring, Substring?, Substring?).self
        )
        var count = 0
        for page in try Self.pages(withDecisions: true) {
            let folder = Self.root.appending(path: page.path).deletingLastPathComponent()
            for match in page.text.matches(of: link) {
                guard let path = match.1 ?? match.2, !(page.path.contains(".docc/") && !path.contains(".")) else {
                    continue
                }
                count += 1
                let file = folder.appending(path: String(path)).path(percentEncoded: false)
                #expect(FileManager.default.fileExists(atPath: file), "\(page.path): \(path)")
            }
        }
        #expect(count > 30)
    }

    @Test func `names files and folders that exist`() throws {
        let path = try Regex(
            #"(?:^|[^\w/.:-])((?:Docs|Sources|Mocks|Testing|Tests|Scripts|Domain|Data|Presentation|BrowseKit|\.ci|\.github)/[\w+./-]*)"#,
            as: (Substring, Substring).self
        )
        var count = 0
        for page in try Self.pages(withDecisions: true) {
            for match in page.text.matches(of: path) where !Self.isPlaceholder(match.1, in: page.text) {
                count += 1
                let name = match.1.hasSuffix(".") ? match.1.dropLast() : match.1
                #expect(Self.exists(String(name), from: page.path), "\(page.path): \(name)")
            }
        }
        #expect(count > 100)
    }

    /// Returns whether a path is part of a symbol, or ends with a placeholder in capitals or an ellipsis.
    private static func isPlaceholder(_ path: Substring, in text: String) -> Bool {
        let last = path.split(separator: "/").last ?? ""
        return last.count > 2 && last.allSatisfy(\.isUppercase) || text[..<path.startIndex].hasSuffix("``")
            || text[path.endIndex...].hasPrefix("…") && !path.hasSuffix("/")
    }

    @Test func `names sections of the guides that exist`() throws {
        let reference = try Regex(
            #"“([^”]+)” (?:(?:in|of) <doc:(\w+)>|above|below)"#,
            as: (Substring, Substring, Substring?).self
        )
        let guides = try Self.pages().filter { $0.path.contains(".docc/") }
        let headings = Dictionary(
            uniqueKeysWithValues: guides.map { guide in
                let lines = guide.text.split(separator: "\n").filter { $0.hasPrefix("#") }
                return (guide.path, Set(lines.map { $0.drop { "# ".contains($0) } }))
            }
        )
        var count = 0
        for guide in guides {
            for match in guide.text.replacing("\n", with: " ").matches(of: reference) {
                count += 1
                let path = match.2.map { "Docs/BrowseKit.docc/\($0).md" } ?? guide.path
                #expect(headings[path]?.contains(match.1) == true, "\(guide.path): “\(match.1)” of \(path)")
            }
        }
        #expect(count > 15)
    }

    @Test func `names commands of the Makefile`() throws {
        let makefile = try Self.text("Makefile")
        let target = try Regex(#"^([a-z][a-z -]*):"#, as: (Substring, Substring).self).anchorsMatchLineEndings()
        let targets = Set(makefile.matches(of: target).flatMap { $0.1.split(separator: " ") })
        let command = try Regex(#"\bmake ([a-z][a-z-]*)"#, as: (Substring, Substring).self)
        var count = 0
        for page in try Self.pages(withDecisions: true) {
            for span in Self.code(in: page, isFenced: true) {
                for match in span.matches(of: command) {
                    count += 1
                    #expect(targets.contains(match.1), "\(page.path): make \(match.1)")
                }
            }
        }
        #expect(count > 30)
    }

    @Test func `names declarations that exist`() throws {
        let sources =
            ["Sources", "Mocks", "Testing", "Docs/Examples", "Tests", "Scripts"]
            .flatMap { Self.files(in: $0, ".swift", ".sh", ".c", ".h", ".js", ".mustache", ".css") } + [
                "Makefile", ".ci/run",
            ]
        let words = try Self.words(in: sources)
        for page in try Self.pages() where page.path != "CHANGELOG.md" {
            for span in Self.code(in: page) {
                for name in Self.names(in: span) where !words.contains(name) && !Self.foreignNames.contains(name) {
                    Issue.record("\(page.path): `\(name)` in `\(span)` isn't in the sources")
                }
            }
        }
    }

    @Test func `names parameters that exist`() throws {
        let declarations = try ["Sources", "Mocks", "Testing", "Docs/Examples", "Tests/Documentation"]
            .flatMap { Self.files(in: $0, ".swift") }
            .flatMap { try Self.declarations(in: $0) }
        let known = Set(declarations)
        let signature = try Regex(#"^(?:[\w.]*\.)?(\w+)\(((?:\w+:)+)\)$"#, as: (Substring, Substring, Substring).self)
        var count = 0
        for page in try Self.pages() {
            for span in Self.code(in: page) {
                guard let match = span.wholeMatch(of: signature), !Self.foreignNames.contains(String(match.1)) else {
                    continue
                }
                count += 1
                let isInitializer = match.1.first?.isUppercase == true
                let isKnown = known.contains("\(isInitializer ? "init" : match.1)(\(match.2))")
                #expect(isKnown, "\(page.path): \(span)")
            }
        }
        #expect(count > 20)
    }

    /// Names of other libraries and tools.
    private static let foreignNames: Set<String> = [
        "CFBundleLocalizations", "CFBundleURLTypes", "FileProtectionType", "NSFileProtectionComplete",
        "NSLocalNetworkUsageDescription", "NSTableView", "String", "Toggle", "UIApplication", "Xlinker", "allowing",
        "backgroundTask",
        "beginBackgroundTask", "beginUpdates", "branch", "brew", "columnIndexes",
        "completeUntilFirstUserAuthentication", "compose", "data", "didAdd", "didRemove", "docker",
        "endBackgroundTask", "endUpdates", "expirationHandler", "forRowIndexes",
        "handlesExternalEvents", "insertRows", "isProtectedDataAvailable", "onOpenURL", "oom",
        "performExpiringActivity", "preferring", "protectedDataDidBecomeAvailableNotification", "protectionKey",
        "reloadData", "removeRows",
        "systemd", "tableView",
        "upToNextMinor", "webcredentials", "yaml",
    ]

    /// Returns the identifiers in code, without placeholders in capitals.
    private static func names(in code: String) -> [String] {
        code.split { !($0.isLetter && $0.isASCII || $0.isNumber || $0 == "_") }.map(String.init)
            .filter { $0.first?.isNumber == false && !$0.allSatisfy(\.isUppercase) }
    }

    /// Returns all words of files and of their names. It reads bytes, because it's millions of them.
    private static func words(in files: [String]) throws -> Set<String> {
        var words = Set(files.flatMap(names))
        // This file contains the foreign names.
        for file in files where !file.hasSuffix("/ProseTests.swift") {
            let bytes = [UInt8](try Data(contentsOf: root.appending(path: file)))
            let pieces = bytes.split { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: false
                default: true
                }
            }
            for piece in Set(pieces) { words.insert(String(decoding: piece, as: UTF8.self)) }
        }
        return words
    }

    /// Returns the functions, cases, and initializers of a file, as in `page(of:at:)`.
    private static func declarations(in file: String) throws -> [String] {
        let text = try Self.text(file)
        let functions =
            text.components(separatedBy: "func ").dropFirst() + text.components(separatedBy: "case ").dropFirst()
        let initializers = text.components(separatedBy: "init").dropFirst().filter { "(<?!".contains($0.first ?? " ") }
            .map { "init" + $0 }
        return (functions + initializers).compactMap { declaration in
            let name = declaration.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            guard !name.isEmpty, let labels = Self.labels(in: declaration.dropFirst(name.count)) else { return nil }
            return "\(name)(\(labels.map { $0 + ":" }.joined()))"
        }
    }

    /// Returns the labels of the parameters in the first parentheses, after generic ones.
    private static func labels(in declaration: Substring) -> [Substring]? {
        var labels: [Substring] = []
        guard let start = declaration.firstIndex(of: "("),
            !declaration[..<start].contains(where: { "{=\n".contains($0) })
        else { return nil }
        var depth = 0
        for index in declaration[start...].indices {
            switch declaration[index] {
            case "(", "[", "<": depth += 1
            case ")", "]": depth -= 1
            case ">" where declaration[..<index].last != "-": depth -= 1
            default: break
            }
            if depth == 0 { return labels }
            guard index == start || depth == 1 && declaration[index] == "," else { continue }
            let parameter = declaration[index...].dropFirst().drop(while: \.isWhitespace)
            let label = parameter.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            // A value of a case can have only a type.
            if !label.isEmpty {
                labels.append(",)".contains(parameter.dropFirst(label.count).first ?? ")") ? "_" : label)
            }
        }
        return nil
    }

    @Test func `states the versions of the manifest`() throws {
        let manifest = try Self.text("Package.swift")
        let tools = try #require(manifest.firstMatch(of: /swift-tools-version: ([\d.]+)/)?.1)
        let platforms = manifest.matches(of: /\.(\w+OS)\(\.v(\d+)\)/).map { "\($0.1) \($0.2)" }
        #expect(platforms.count == 5)
        let version = try Regex(#"\b((?:mac|i|tv|watch|vision)OS) (\d+)\b"#, as: (Substring, Substring, Substring).self)
        for page in try Self.pages() {
            for match in page.text.matches(of: version) {
                #expect(platforms.contains("\(match.1) \(match.2)"), "\(page.path): \(match.0)")
            }
            for match in page.text.matches(of: /Swift (\d+\.\d+) or later/) {
                #expect(match.1 == tools, "\(page.path)")
            }
        }
        let readMe = try Self.text("README.md")
        for platform in platforms { #expect(readMe.contains(platform)) }
    }

    @Test func `states the same first version`() throws {
        let changelog = try Self.text("CHANGELOG.md")
        let newest = try #require(changelog.firstMatch(of: /(?m)^## (\d+\.\d+)\.\d+/)?.1)
        for path in ["README.md"] + ["GettingStarted", "AddYourOwnService"].map({ "Docs/BrowseKit.docc/\($0).md" }) {
            #expect(try Self.text(path).contains(#".upToNextMinor(from: "\#(newest).0")"#), "\(path)")
        }
        let oldest = try #require(changelog.matches(of: /(?m)^## (\d+\.\d+\.\d+)/).last?.1)
        #expect(try Self.text("SECURITY.md").contains("The first version is \(oldest)."))
    }

    @Test func `lists what only services of the SDK can use`() throws {
        let decision = try #require(try Self.pages(withDecisions: true).first { $0.path.contains("/0040-") })
        let names = Set(Self.code(in: decision).flatMap { code in code.split { !$0.isLetter }.map(String.init) })
        for file in Self.files(in: "Sources", ".swift") {
            let declaration = /@_spi\(Services\) public .*?(?:var|let|func|struct|enum|protocol) (\w+)/
            for match in try Self.text(file).matches(of: declaration) {
                #expect(names.contains(String(match.1)), "\(file): \(match.1)")
            }
        }
    }

    /// Counts lines with something besides blanks and a `//` comment.
    ///
    /// So dropped comments are no savings. SwiftUI's views count apart.
    @Test func `is about at most 18,400 lines of code, in files of at most 330`() throws {
        var (total, views) = (0, 0)
        for file in Self.files(in: "Sources", ".swift") {
            let lines = try Self.text(file).split(separator: "\n").count { line in
                let code = line.drop { $0.isWhitespace }
                return !code.isEmpty && !code.hasPrefix("//")
            }
            #expect(lines <= 330, "\(file): \(lines)")
            if file.contains("/SwiftUI/") { views += lines } else { total += lines }
        }
        #expect((15_000...18_400).contains(total))
        #expect((500...750).contains(views))
    }

    @Test func `shows a service of one's own in at most 700 lines`() throws {
        let files = Self.files(in: "Docs/Examples/Books/Sources", ".swift")
        let lines = try files.reduce(0) { try $0 + Self.text($1).split(separator: "\n").count }
        #expect((200...700).contains(lines))
    }

    @Test func `states the defaults`() throws {
        let configuration = Configuration()
        let (images, limits) = (ImageLimits(), HTTPLimits())
        let statements = [
            "Docs/BrowseKit.docc/CachingAndOffline.md": [
                "`Configuration.cacheByteLimit` bytes, \(configuration.cacheByteLimit >> 20) MiB by default"
            ],
            "Docs/BrowseKit.docc/DataAndPrivacy.md": [
                "| responses | `responses` in the cache folder | \(configuration.cacheByteLimit >> 20) MiB |",
                "| images | `images` in the cache folder | \(images.diskBytes >> 20) MiB |",
                "A response of up to \(limits.bodyBytes >> 20) MiB",
                "an image of up to \(images.request.bodyBytes >> 20) MiB",
            ],
            "Docs/BrowseKit.docc/HandleErrors.md": [
                "for an attempt, \(limits.duration.components.seconds) seconds by default",
                "| time of an attempt for an image | \(images.request.duration.components.seconds) seconds |",
            ],
            "Docs/BrowseKit.docc/GettingStarted.md": [
                "An attempt of a request has \(limits.duration.components.seconds) seconds"
            ],
            "Docs/BrowseKit.docc/Troubleshooting.md": [
                "An attempt has \(limits.duration.components.seconds) seconds"
            ],
            "CHANGELOG.md": ["An attempt has \(limits.duration.components.seconds) seconds"],
            "Docs/Examples/Terminal/README.md": [
                "the time limit of a response (\(limits.duration.components.seconds))",
                "the number of pages to load at a time with `--all` (\(configuration.pageConcurrency))",
            ],
        ]
        for (path, sentences) in statements {
            let text = try Self.text(path)
            for sentence in sentences { #expect(text.contains(sentence), "\(path): \(sentence)") }
        }
        let sizes = try Self.text("Tests/Footprint/sizes").matches(of: /(\w+) (\d+) KiB/)
        func mebibytes(of program: String) throws -> String {
            let size = try #require(sizes.first { $0.1 == program }.flatMap { Double($0.2) })
            return "\((size / 1024 * 10).rounded() / 10) MiB"
        }
        let sentence = try "| \(mebibytes(of: "kit")), \(mebibytes(of: "client")) for the client alone |"
        #expect(try Self.text("README.md").contains(sentence), "\(sentence)")
    }

    @Test(arguments: [
        ("100 pages, CPU time", "pages-cpu: 100 pages one by one"),
        ("the same with cache", "chain-cold"),
        ("the change of a page", "rows-change"),
    ])
    func `states measured times`(row: String, benchmark: String) throws {
        let lines =
            try Self.text("README.md").split(separator: "\n") + Self.text("Docs/Benchmarks.md").split(separator: "\n")
        let stated = try #require(lines.first { $0.hasPrefix("| " + row) }).matches(of: /(\d+) (µs|ms)/)
        let measured = try #require(lines.first { $0.hasPrefix("| " + benchmark) }).matches(of: /(\d+\.\d+) (µs|ms)/)
        #expect(stated.count == 2)
        for (stated, measured) in zip(stated, measured) {
            let value = try #require(Double(measured.1))
            #expect("\(Int(value.rounded())) \(measured.2)" == stated.0)
        }
    }
}
