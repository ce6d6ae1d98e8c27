import Foundation
import TestLimits
import Testing

/// The tables of what users of other clients reported.
@Suite(.bounded)
struct `The tables of reports` {
    /// A report of another client's users, as it was tried here.
    private struct Report {
        let (area, reference, verdict, test): (String, String, String, String)

        var isTried: Bool { verdict != "not tried" }
        var project: String { reference.split(separator: "#").first.map(String.init) ?? "" }
    }

    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let folder = root.appending(path: "Tests/Reports")

    private static func reports() throws -> [Report] {
        let tables = folder.appending(path: "Tables")
        let names = try FileManager.default.contentsOfDirectory(atPath: tables.path).sorted()
        return try names.flatMap { name in
            let text = try String(contentsOf: tables.appending(path: name), encoding: .utf8)
            return try text.split(separator: "\n").filter { $0.contains(/^\| [^|]+#\d/) }.map { line in
                // A bar in a cell is escaped.
                let cells = line.replacing("\\|", with: "¦").split(separator: "|", omittingEmptySubsequences: false)
                try #require(cells.count == 8, "\(name): \(line.prefix(60))")
                let values = cells.map { $0.trimmingCharacters(in: .whitespaces) }
                return Report(area: name, reference: values[1], verdict: values[5], test: values[6])
            }
        }
    }

    @Test func `have a verdict and a test for each report, of which each area has 25`() throws {
        let verdicts: Set = ["right", "wrong, fixed", "wrong", "debatable", "not tried"]
        let reports = try Self.reports()
        for report in reports {
            #expect(verdicts.contains(report.verdict), "\(report.area): \(report.reference): \(report.verdict)")
            #expect(!report.test.isEmpty, "\(report.area): \(report.reference)")
        }
        let areas = Dictionary(grouping: reports, by: \.area)
        #expect(areas.count == 14)
        for (area, reports) in areas { #expect(reports.count >= 25, "\(area)") }
        #expect(Set(reports.map { $0.area + $0.reference }).count == reports.count)
    }

    @Test func `name tests that exist`() throws {
        for report in try Self.reports() where report.isTried {
            for match in report.test.matches(of: /([\w+]+\.swift)(?:: `([^`]+)`)?/) {
                let text = try #require(Self.testFiles[String(match.1)], "\(report.reference): \(match.1)")
                #expect(match.2.map { text.contains($0) } != false, "\(report.reference): \(match.0)")
            }
        }
    }

    @Test func `are counted in the README`() throws {
        let reports = try Self.reports()
        let right = reports.count { $0.isTried && $0.verdict != "wrong" }
        let projects = Set(reports.filter(\.isTried).map(\.project)).count
        let tried = reports.count(where: \.isTried)
        let sentence = "passes \(right) of \(tried) tried bug reports of the users of \(projects) other projects"
        let readMe = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        #expect(readMe.replacing("\n", with: " ").contains(sentence), "\(sentence)")
    }

    /// The texts of the files with tests, by name.
    private static let testFiles = {
        var texts: [String: String] = [:]
        for folder in ["Tests", "Docs/Examples"].map({ root.appending(path: $0) }) {
            let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
            for path in paths where path.hasSuffix(".swift") && !path.contains(".build/") {
                let file = folder.appending(path: path)
                texts[file.lastPathComponent, default: ""] += (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            }
        }
        return texts
    }()
}
