import BrowseDomain
import BrowseMocks
import BrowsePresentation
import TestLimits
import TestSupport
import Testing

/// The rules for callers of a list in their simplest form: a set of callers for the load in flight.
private struct Model {
    enum Kind { case first, next, all }
    enum Phase: Equatable { case ready, loading, failed, ended }

    static let pageCount = 4
    /// A caller that is never canceled: the list itself.
    static let list = -1

    var filter = 0
    var phase = Phase.loading
    var kind = Kind.first
    /// Which pages are loaded, and which the next load brings.
    var loaded = 0
    var next = 0
    /// The position before a refresh.
    var previous: (phase: Phase, next: Int)?
    /// Callers that keep the load going, and those of them that load all pages after it.
    var callers: Set<Int> = []
    var followers: Set<Int> = []
    /// Rows that wait for the next page, and how many pages were loaded when they were last.
    var rowCallers: [Int: Int] = [:]
    /// How many pages were loaded when a row was the last one, and appeared.
    var appeared: Int?
    var done: Set<Int> = []

    var rows: [Int] { (0..<loaded * 10).map { filter * 1_000 + $0 } }

    mutating func start(_ kind: Kind, _ callers: Set<Int>) {
        (phase, self.kind, self.callers) = (.loading, kind, callers)
    }

    private mutating func finish(_ others: Set<Int>) {
        done.formUnion(others.subtracting([Self.list]))
    }

    mutating func loadMore(_ caller: Int) {
        switch phase {
        case .loading where kind != .all: callers.insert(caller)
        case .ready: start(next == 0 ? .first : .next, [caller])
        case .loading, .failed, .ended: finish([caller])
        }
    }

    mutating func retry(_ caller: Int) {
        switch phase {
        case .loading where kind != .all: callers.insert(caller)
        case .failed: start(next == 0 ? .first : .next, [caller])
        // The load of the first page was canceled.
        case .ready where next == 0: start(.first, [caller])
        case .loading, .ready, .ended: finish([caller])
        }
    }

    mutating func refresh(_ caller: Int) {
        if phase == .loading, kind == .first {
            callers.insert(caller)
            return
        }
        let position = (phase == .loading ? .ready : phase, next)
        let rows = rowCallers
        // It ends loads of all pages, also those that wait for another load.
        finish(callers.subtracting(rowCallers.keys))
        // A list without a page has no position to go back to.
        if loaded > 0 { previous = previous ?? position } else { previous = nil }
        next = 0
        start(.first, [caller])
        (followers, rowCallers, appeared) = ([], [:], nil)
        for (row, count) in rows { rowAppeared(row, when: count) }
    }

    /// - Parameter count: How many pages were loaded when the row was the last one.
    mutating func rowAppeared(_ caller: Int, when count: Int) {
        guard count == loaded else { return finish([caller]) }
        switch phase {
        case .loading where kind != .all:
            callers.insert(caller)
            rowCallers[caller] = count
        case .ready:
            start(next == 0 ? .first : .next, [caller])
            rowCallers = [caller: count]
        case .loading, .failed, .ended: finish([caller])
        }
    }

    mutating func loadAll(_ caller: Int) {
        switch phase {
        case .loading:
            callers.insert(caller)
            if kind != .all { followers.insert(caller) }
        case .ready: start(.all, [caller])
        case .failed, .ended: finish([caller])
        }
    }

    mutating func cancel(_ caller: Int) {
        guard !done.contains(caller) else { return }
        done.insert(caller)
        followers.remove(caller)
        rowCallers[caller] = nil
        guard callers.remove(caller) != nil, callers.isEmpty else { return }
        phase = .ready
        if let previous { (phase, next) = previous }
        previous = nil
        afterLoad()
        // The row didn't join a load of all pages, and may still be the last one.
        if kind == .all, phase == .ready, let appeared, appeared >= loaded {
            start(next == 0 ? .first : .next, [Self.list])
        }
    }

    mutating func receive() {
        if next == 0 {
            (loaded, next, previous) = (1, 1, nil)
        } else {
            loaded += 1
            next += 1
        }
        let isEnd = next == Self.pageCount
        guard isEnd || kind != .all else { return }
        phase = isEnd ? .ended : .ready
        afterLoad()
    }

    mutating func fail() {
        phase = .failed
        finish(followers)
        followers = []
        afterLoad()
    }

    /// Callers return, or continue after the load.
    private mutating func afterLoad() {
        let (followers, rows) = (self.followers, rowCallers)
        finish(callers.subtracting(followers).subtracting(rowCallers.keys))
        (callers, self.followers, rowCallers) = ([], [], [:])
        for follower in followers { loadAll(follower) }
        for (row, count) in rows { rowAppeared(row, when: count) }
    }
}

@MainActor @Suite(.bounded(minutes: 10))
struct `Callers of a list beside a model` {
    /// Callers, cancellations, refreshes, other filters, loads of all pages, and failures, in any order.
    @Test(arguments: 0..<60)
    func `match the model after any sequence of calls`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let held = ControlledResponses<(filter: Int, page: Int), Page<Row>>()
        let screen = ListScreen()
        let done = Monitor<Set<Int>>([])
        var tasks: [Task<Void, Never>] = []
        var model = Model()

        func call(_ body: @escaping @MainActor () async -> Void) async -> Int {
            let number = tasks.count
            let (started, signal) = AsyncStream.makeStream(of: Void.self)
            tasks.append(
                Task {
                    signal.finish()
                    await body()
                    _ = done.withLock { $0.insert(number) }
                }
            )
            for await _ in started {}
            return number
        }
        func show(_ filter: Int) async {
            let load = screen.begin { [held] cursor throws(BrowseError) in
                try await held.response(to: (filter, cursor.flatMap { Int($0.rawValue) } ?? 0))
            } allPages: { [held] cursor, receive throws(BrowseError) in
                for page in (cursor.flatMap { Int($0.rawValue) } ?? 0)..<Model.pageCount {
                    try await receive(held.response(to: (filter, page)))
                }
            }
            let before = model
            let caller = await call { await load() }
            model = Model(filter: filter, callers: [caller], done: before.done)
            // Callers of the previous list return.
            for other in 0..<caller { model.done.insert(other) }
        }
        /// Answers the request that waits; a canceled one may have been made after it.
        func answer(_ result: Result<Page<Row>, BrowseError>) {
            for index in held.requests.indices.reversed() where held.answer(index, with: result) { return }
        }
        func settle(_ step: String) async throws {
            do {
                try await waitUntil {
                    held.waitingCount == (model.phase == .loading ? 1 : 0) && done.value == model.done
                        && screen.ids == model.rows && phase(of: screen) == model.phase
                }
            } catch {
                Issue.record(
                    "\(step): \(phase(of: screen)) \(screen.ids.count) rows, \(held.waitingCount) in flight, \(done.value); \(model)"
                )
                throw error
            }
        }

        await show(0)
        try await settle("begin")
        for step in 0..<60 {
            let isBusy = !model.followers.isEmpty || !model.rowCallers.isEmpty
            var name = "\(step) "
            switch Int.random(in: 0..<16, using: &random) {
            case 0, 1:
                name += "loadMore"
                model.loadMore(await call { await screen.loadMore() })
            case 2:
                name += "retry"
                model.retry(await call { await screen.retry() })
            case 3:
                name += "refresh"
                model.refresh(await call { await screen.refresh() })
            case 4 where !isBusy || model.followers.isEmpty:
                guard let last = screen.ids.last else { continue }
                name += "rowAppeared"
                let count = model.loaded
                model.appeared = max(model.appeared ?? 0, count)
                model.rowAppeared(await call { await screen.rowAppeared(last) }, when: count)
            // At most one caller goes on after a load, since the order of several is not defined.
            case 5 where !isBusy:
                name += "loadAll"
                model.loadAll(await call { await screen.loadAll() })
            case 6..<10:
                guard let caller = tasks.indices.filter({ !model.done.contains($0) }).randomElement(using: &random)
                else { continue }
                name += "cancel \(caller)"
                tasks[caller].cancel()
                model.cancel(caller)
            case 10..<14:
                guard model.phase == .loading else { continue }
                name += "answer"
                let page = model.next
                let first = model.filter * 1_000 + page * 10
                let next = page + 1 < Model.pageCount ? "\(page + 1)" : nil
                answer(.success(Page(first..<first + 10, next: next)))
                model.receive()
            case 14:
                guard model.phase == .loading else { continue }
                name += "fail"
                answer(.failure(.timedOut(BrowseError.RequestInfo(endpoint: "GET /"))))
                model.fail()
            case 15 where step % 3 == 0:
                name += "show"
                await show(model.filter + 1)
            default: continue
            }
            try await settle(name)
        }
    }

    private func phase(of screen: ListScreen) -> Model.Phase {
        switch screen.pages.pagedList.phase {
        case .ready: .ready
        case .loading: .loading
        case .failed: .failed
        case .ended: .ended
        }
    }
}
