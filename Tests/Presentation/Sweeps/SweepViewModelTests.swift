import BrowseDomain
import BrowseMocks
import Foundation
import Testing

@testable import BrowsePresentation

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct `The screen of a sweep` {
    private let texts = Texts(locale: Locale(identifier: "en_US"), timeZone: .gmt)
    private static let url = URL(filePath: "/test", directoryHint: .isDirectory)

    private func sweep(_ load: @escaping @Sendable (Int) async throws(BrowseError) -> Void = { _ in }) -> Sweep<Int> {
        let source = SweepSource(SweepIdentity(service: "Test", baseURL: Self.url, query: "/items")) { (row: Int) in
            "\(row)"
        } load: { cursor, _ throws(BrowseError) in
            let number = cursor?.page ?? 1
            try await load(number)
            let next = number < 3 ? PageCursor(page: number + 1) : nil
            return SweepPage(Page(items: [number * 1000], next: next), totalCount: 3)
        }
        return Sweep(source, into: MemorySink())
    }

    @Test func `shows the number of rows, and whether the sweep runs`() async {
        let model = SweepViewModel(sweep(), texts: texts)
        #expect(model.state.status == .idle && model.state.title.isEmpty)
        await model.run()
        #expect(model.state.status == .finished)
        #expect(model.state.title == "3 rows")
        #expect(model.state.detail == nil)
        #expect(model.state.progress?.fraction == 1)
    }

    @Test func `stops and resumes, and can be run again at once`() async {
        let held = ControlledResponses<Int, Bool>()
        let sweep = sweep { number throws(BrowseError) in
            if number == 2 { _ = try await held.response(to: number) }
        }
        let model = SweepViewModel(sweep, texts: texts)
        let run = Task { await model.run() }
        await held.waitForRequests(1)
        for await state in model.states where state.progress?.checkpoint.rowCount == 1 { break }
        #expect(model.state.title == "1 of about 3 rows")
        #expect(model.state.detail?.hasSuffix("about a minute left") == true)
        model.stop()
        await run.value
        #expect(model.state.status == .stopped)
        let second = Task { await model.run() }
        await held.waitForRequests(2)
        held.answer(1, with: .success(true))
        await second.value
        #expect(model.state.status == .finished && model.state.title == "3 rows")
    }

    @Test func `starts again after the server refused the position`() async {
        let refusals = Monitor(0)
        let info = BrowseError.RequestInfo(endpoint: "GET /items", status: 410)
        let model = SweepViewModel(
            sweep { number throws(BrowseError) in
                guard number == 2,
                    refusals.withLock({
                        $0 += 1; return $0
                    }) == 1
                else { return }
                throw .rejected(info)
            },
            texts: texts
        )
        await model.run()
        #expect(model.state.status == .failed(texts.message(for: SweepError.cursorRefused(info))))
        await model.run()
        #expect(model.state.status == .finished)
        #expect(model.state.progress?.checkpoint.pass == 2)
    }

    @Test func `shows a failure, and names the other list of a file`() async {
        let error = BrowseError.serverFailure(.init(endpoint: "GET /items", status: 500))
        let model = SweepViewModel(sweep { _ throws(BrowseError) in throw error }, texts: texts)
        await model.run()
        #expect(model.state.status == .failed(texts.message(for: error)))
        let other = SweepIdentity(service: "GitHub", baseURL: Self.url, account: "mona", query: "/users/a/followers")
        let message = texts.message(for: SweepError.otherSweep(found: other))
        #expect(message.text.contains("GitHub, /users/a/followers, mona"))
        #expect(texts.message(for: SweepError.foreignFile(name: "a.csv")).text.contains("“a.csv”"))
        #expect(texts.message(for: SweepError.inUse(name: "a.csv")).text.contains("“a.csv”"))
    }
}

/// Stores the checkpoint only.
private actor MemorySink: SweepSink {
    private var checkpoint: SweepCheckpoint?

    func open() throws(SweepError) -> SweepCheckpoint? { checkpoint }
    func store(_ batch: SweepBatch<Int>) throws(SweepError) -> Int {
        checkpoint = batch.checkpoint(storing: batch.rows.count)
        return batch.rows.count
    }
    func close() {}
}
