import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import BrowsePresentation
import BrowseTesting
import Foundation
import Observation
import TestLimits
import Testing

/// The texts of the issues that a body records.
private func issues(_ body: @Sendable @concurrent () async throws -> Void) async throws -> [String] {
    try await recordedIssues(of: body).map(\.text)
}

@Suite(.bounded)
struct GoldenTests {
    /// A folder with a test's source file, which doesn't exist.
    private func withFolder(_ body: (_ folder: URL, _ source: String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "golden-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder, folder.appending(path: "Tests.swift").path(percentEncoded: false))
    }

    @MainActor @Test
    func `The states of a screen are the golden ones`() async {
        let model = Container.offline().followerListViewModel()
        let recorder = StateRecorder(of: model)
        await model.show(.followers(of: GitHub.Login("octocat")))
        await model.loadMore()
        expectGolden(recorder.transcript, "followers.txt")
        expectGolden(recorder.transcript, "followers.txt", in: .module, isRecording: false)
    }

    @MainActor @Test
    func `States of long lists name the rows that differ`() async throws {
        let model = Container.offline().followerListViewModel()
        await model.show(.followers(of: GitHub.Login("octocat")))
        let rows = model.state.content.rows
        #expect(rows.count == 100)
        let recorder = StateRecorder(of: model)
        let before = recorder.transcript
        #expect(before.contains("\n0 content.rows[0...9]: ") && before.contains("\n0 content.rows[90...99]: "))
        for position in [99, 7, 8] { await model.toggleFavorite(rows[position].id) }
        let changes = recorder.transcript.dropFirst(before.count).split(separator: "\n").map { $0.prefix { $0 != ":" } }
        #expect(
            changes == ["1 content.rows", "1 content.rows[99]", "2 content.rows", "2 content.rows[7]"] + [
                "3 content.rows", "3 content.rows[8]",
            ]
        )
    }

    @Test func `A different text is an issue with the differing lines`() async throws {
        try await withFolder { folder, source in
            let lines = (1...20).map { "line \($0)" }
            try Data(lines.joined(separator: "\n").utf8).write(to: folder.appending(path: "a.txt"))
            let other = lines[..<9] + ["LINE 10"] + lines[10..<15] + lines[16...]
            let reports = try await issues {
                expectGolden(other.joined(separator: "\n"), "a.txt", isRecording: false, filePath: source)
            }
            #expect(
                reports == [
                    """
                    The text differs from a.txt (- file, + text):
                      … (7 equal lines)
                      line 8
                      line 9
                    - line 10
                    + LINE 10
                      line 11
                      line 12
                      … (1 equal lines)
                      line 14
                      line 15
                    - line 16
                      line 17
                      line 18
                    If it's right, run the test with the environment variable RECORD_GOLDEN=1 to replace the file.
                    """
                ]
            )
        }
    }

    @Test func `A missing file is an issue that says what to do`() async throws {
        try await withFolder { folder, source in
            let reports = try await issues { expectGolden("the text", "a.txt", isRecording: false, filePath: source) }
            #expect(reports.count == 1)
            #expect(reports.first?.contains("There is no golden file a.txt at \(folder.path())") == true)
            #expect(reports.first?.contains("RECORD_GOLDEN=1") == true)
            #expect(reports.first?.hasSuffix("The text is:\nthe text") == true)
        }
    }

    @Test func `Recording writes the file, is an issue, and the next run passes`() async throws {
        try await withFolder { folder, source in
            for text in ["one\ntwo", "three"] {
                let reports = try await issues { expectGolden(text, "a.txt", isRecording: true, filePath: source) }
                #expect(reports.count == 1)
                #expect(reports.first?.hasPrefix("Recorded ") == true)
                let file = folder.appending(path: "Fixtures/a.txt")
                let written = try String(contentsOf: file, encoding: .utf8)
                #expect(written == "\(text)\n")
                // Nothing is recorded if nothing differs.
                #expect(try await issues { expectGolden(text, "a.txt", isRecording: true, filePath: source) } == [])
                #expect(try await issues { expectGolden(text, "a.txt", isRecording: false, filePath: source) } == [])
            }
        }
    }
}

@MainActor @Suite(.bounded)
struct StateSequenceTests {
    struct State: Equatable, Sendable {
        enum Status: Equatable, Sendable { case idle, loading(since: Int), ready }
        var status = Status.idle
        var names: Set<String> = []
        var counts: [String: Int] = [:]
        var note: String?
        var rows: [Int] = []
    }

    final class Screen: ViewModel {
        let store = StateStore(State())
        var states: States<State> { store.states }
    }

    private func recorded() -> StateRecorder<Screen> {
        let screen = Screen()
        let recorder = StateRecorder(of: screen)
        screen.store.update { $0.status = .loading(since: 7) }
        screen.store.update { $0.names = ["b", "a", "c"] }
        screen.store.update { $0.counts = ["y": 2, "x": 1] }
        screen.store.update {
            $0.status = .ready
            $0.note = "two\nlines"
            $0.rows = Array(0..<11)
        }
        screen.store.update {
            $0.note = nil
            $0.names = []
        }
        return recorder
    }

    @Test func `A sequence of values is compared without repetitions`() async throws {
        let recorder = recorded()
        #expect(
            try await issues { @MainActor in recorder.expect(\.status, [.idle, .loading(since: 7), .ready]) } == []
        )
        #expect(
            try await issues { @MainActor in recorder.expect(\.status, [.idle, .ready, .idle]) } == [
                """
                The sequence differs (- expected, + actual):
                  idle
                + state: loading, loading.since: 7
                  ready
                - idle
                """
            ]
        )
    }

    @Test(arguments: [
        (11, ["[0...9]", "[10]"], ["[5]"]), (200, (0..<20).map { "[\($0 * 10)...\($0 * 10 + 9)]" }, ["[5]"]),
        (201, ["[0...99]", "[100...199]", "[200]"], ["[0...9]"]),
        (2_001, (0..<2).map { "[\($0 * 1000)...\($0 * 1000 + 999)]" } + ["[2000]"], ["[0...99]"]),
    ])
    func `A transcript has a digest for each element, or for ranges of them`(
        count: Int,
        all: [String],
        changed: [String]
    ) {
        let screen = Screen()
        screen.store.update { $0.rows = Array(0..<count) }
        let recorder = StateRecorder(of: screen)
        screen.store.update { $0.rows[5] = -1 }
        let places = recorder.transcript.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /^(\d) rows(\[.*\]):/).map { ($0.1, String($0.2)) }
        }
        #expect(places.filter { $0.0 == "0" }.map(\.1) == all)
        #expect(places.filter { $0.0 == "1" }.map(\.1) == changed)
    }

    @Test func `A transcript has only the digests of new rows, and none of those that are gone`() {
        let screen = Screen()
        screen.store.update { $0.rows = Array(0..<15) }
        let recorder = StateRecorder(of: screen)
        screen.store.update { $0.rows += [15, 16] }
        screen.store.update { $0.rows = [0, 1] }
        let changes = recorder.transcript.split(separator: "\n").map { $0.prefix { $0 != ":" } }
        #expect(changes.filter { $0.hasPrefix("1") } == ["1 rows", "1 rows[15...16]"])
        #expect(changes.filter { $0.hasPrefix("2") } == ["2 rows", "2 rows[0]", "2 rows[1]"])
    }

    @Test func `A transcript has numbers of any size`() {
        let screen = Screen()
        let recorder = StateRecorder(of: screen)
        screen.store.update { $0.note = "\(UInt64.max)" }
        screen.store.update { $0.status = .loading(since: .max) }
        screen.store.update { $0.rows = Array(0..<11) }
        #expect(recorder.transcript.contains("note: \(UInt64.max)\n"))
    }

    @Test func `A sequence describes a long list in one line`() async throws {
        let screen = Screen()
        let recorder = StateRecorder(of: screen)
        screen.store.update { $0.rows = Array(0..<11) }
        let reports = try await issues { @MainActor in recorder.expect(\.rows, [[], [1]]) }
        #expect(
            reports == [
                """
                The sequence differs (- expected, + actual):
                  0 elements
                - state: 1 element, [0]: 1
                + 11 elements, digest fb957cf613be6b61
                """
            ]
        )
    }

    @Test func `A transcript has the changes in a stable order`() {
        let transcript = """
            0 status: idle
            0 names: 0 elements
            0 counts: 0 elements
            0 note: nil
            0 rows: 0 elements
            1 status: loading
            1 status.loading.since: 7
            2 names: 3 elements
            2 names[0]: a
            2 names[1]: b
            2 names[2]: c
            3 counts: 2 elements
            3 counts[0]: key: x, value: 1
            3 counts[1]: key: y, value: 2
            4 status: ready
            4 note: two\\nlines
            4 rows: 11 elements, digest fb957cf613be6b61
            4 rows[0...9]: 2ff7 895a c295 6593 14ff bde5 2ed2 b89c 8055 7ea9
            4 rows[10]: 18a9
            5 names: 0 elements
            5 note: nil

            """
        #expect(recorded().transcript == transcript)
    }
}
