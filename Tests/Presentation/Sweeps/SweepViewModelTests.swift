import BrowseDomain
import BrowseMocks
import Foundation
import Testing

@testable import BrowsePresentation
import TestLimits

@MainActor
@Suite(.bounded)
struct `The screen of a sweep` {
    private let texts = Texts(locale: Locale(identifier: "en_US"), timeZone: .gmt)

    private func sweep(_ load: @escaping @Sendable (Int) async throws(BrowseError) -> Void = { _ in }) -> Sweep<Int> {
        let source = SweepSource("Test: https://api.example/items") { (row: Int) in
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
        #expect(!model.state.isRunning && model.state.title.isEmpty)
        await model.run()
        #expect(!model.state.isRunning && model.state.failure == nil)
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
        for await state in model.states where state.progress?.rowCount == 1 { break }
        #expect(model.state.title == "1 of about 3 rows")
        #expect(model.state.detail?.hasSuffix("about a minute left") == true)
        model.stop()
        await run.value
        #expect(!model.state.isRunning && model.state.failure == nil)
        #expect(model.state.progress?.isComplete == false)
        let second = Task { await model.run() }
        await held.waitForRequests(2)
        held.answer(1, with: .success(true))
        await second.value
        #expect(model.state.progress?.isComplete == true && model.state.title == "3 rows")
    }

    @Test func `is run again right after it was stopped`() async {
        let held = ControlledResponses<Int, Bool>()
        let sweep = sweep { number throws(BrowseError) in
            if number == 2 { _ = try await held.response(to: number) }
        }
        let model = SweepViewModel(sweep, texts: texts)
        let run = Task { await model.run() }
        await held.waitForRequests(1)
        held.answer(1, with: .success(true))
        model.stop()
        await model.run()
        #expect(model.state.progress?.isComplete == true && !model.state.isRunning)
        await run.value
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
        #expect(model.state.failure == texts.message(for: SweepError.cursorRefused(info)))
        await model.run()
        #expect(model.state.failure == nil && model.state.progress?.isComplete == true)
        #expect(model.state.progress?.pass == 2)
    }

    @Test func `starts again after a refusal until a page is stored`() async {
        let info = BrowseError.RequestInfo(endpoint: "GET /items", status: 410)
        let unreachable = BrowseError.unreachable(.offline, BrowseError.RequestInfo(endpoint: "GET /items"))
        let outcomes = Monitor<[BrowseError?]>([nil, .rejected(info), unreachable])
        let model = SweepViewModel(
            sweep { _ throws(BrowseError) in
                let error: BrowseError? = outcomes.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                if let error { throw error }
            },
            texts: texts
        )
        await model.run()
        #expect(model.state.failure == texts.message(for: SweepError.cursorRefused(info)))
        await model.run()
        #expect(model.state.failure == texts.message(for: unreachable))
        for _ in 0..<2 {
            await model.run()
            #expect(model.state.failure == nil && model.state.progress?.isComplete == true)
            #expect(model.state.progress?.pass == 2)
        }
    }

    @Test func `shows a failure, and names the other list of a file`() async {
        let error = BrowseError.serverFailure(.init(endpoint: "GET /items", status: 500))
        let model = SweepViewModel(sweep { _ throws(BrowseError) in throw error }, texts: texts)
        await model.run()
        #expect(model.state.failure == texts.message(for: error) && !model.state.isRunning)
        let list = "GitHub: https://api.github.com/users/a/followers"
        let message = texts.message(for: SweepError.otherSweep(list: list, account: "mona"))
        #expect(message.text.contains("\(list), mona"))
        #expect(texts.message(for: SweepError.foreignFile(name: "a.csv")).text.contains("“a.csv”"))
        #expect(texts.message(for: SweepError.inUse(name: "a.csv")).text.contains("“a.csv”"))
    }
}

/// Stores the checkpoint only.
private actor MemorySink: SweepSink {
    private var stored: SweepProgress?

    func open() throws(SweepError) -> SweepProgress? { stored }
    func store(
        _ rows: [(id: String, row: Int)],
        of visit: SweepVisit,
        checkpoint: @Sendable (_ newCount: Int) -> SweepProgress
    ) throws(SweepError) -> SweepProgress {
        let progress = checkpoint(rows.count)
        stored = progress
        return progress
    }
    func close() {}
}
