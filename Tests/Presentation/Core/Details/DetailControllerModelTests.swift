import BrowseDomain
import BrowseMocks
import BrowsePresentation
import TestLimits
import TestSupport
import Testing

/// The rules for callers of details in their simplest form: a set of callers for each load in flight.
private struct Model {
    enum Outcome { case none, loaded, failed }
    enum Phase { case ready, loading, failed, ended }

    /// The number of the entity that was requested.
    var id = 0
    var shown: Row?
    /// Whether the load of an entity that isn't shown failed.
    var isFailed = false
    var hasNotice = false
    var outcome = Outcome.none
    /// The callers of the entity's load in flight.
    var entity: Set<Int>?

    var rows: [Int] = []
    var phase = Phase.ready
    /// The phase before the related items started over.
    var previous: Phase?
    /// The callers of the load of related items, and whether it belongs to the load of the entity.
    var related: Set<Int>?
    var isPartOfEntity = false
    var done: Set<Int> = []

    mutating func show(_ id: Int, _ caller: Int) {
        self = Model(id: id, entity: [caller], done: Set(0..<caller))
    }

    mutating func refresh(_ caller: Int) {
        if entity != nil {
            entity?.insert(caller)
        } else if isPartOfEntity, related != nil {
            related?.insert(caller)
        } else {
            (entity, hasNotice, isFailed) = ([caller], false, false)
        }
    }

    mutating func retry(_ caller: Int) {
        guard shown != nil, outcome == .loaded, entity == nil, !isPartOfEntity || related == nil else {
            return refresh(caller)
        }
        if related != nil {
            related?.insert(caller)
        } else if phase == .failed || phase == .ready {
            (related, isPartOfEntity, phase) = ([caller], false, .loading)
        } else {
            done.insert(caller)
        }
    }

    mutating func cancel(_ caller: Int) {
        guard done.insert(caller).inserted else { return }
        entity?.remove(caller)
        if entity == [] {
            entity = nil
            hasNotice = hasNotice || outcome == .failed
        }
        related?.remove(caller)
        if related == [] {
            related = nil
            phase = previous ?? .ready
            previous = nil
        }
    }

    mutating func receive(_ version: Int) {
        if let related { done.formUnion(related) }
        (shown, outcome) = (Row(id: id, version: version), .loaded)
        // A list without items is a position to go back to, if it has arrived.
        if phase == .ended { previous = phase }
        (related, isPartOfEntity, phase, entity) = (entity, true, .loading, nil)
    }

    mutating func fail(isNotFound: Bool) {
        done.formUnion(entity ?? [])
        entity = nil
        if shown != nil, !isNotFound {
            (outcome, hasNotice) = (.failed, true)
            return
        }
        if let related { done.formUnion(related) }
        self = Model(id: id, isFailed: true, done: done)
    }

    mutating func receiveRelated(_ rows: [Int]) {
        (self.rows, phase, previous) = (rows, .ended, nil)
        finishRelated()
    }

    mutating func failRelated() {
        phase = .failed
        finishRelated()
    }

    private mutating func finishRelated() {
        done.formUnion(related ?? [])
        related = nil
    }
}

@MainActor @Suite(.bounded(minutes: 10))
struct `Callers of details beside a model` {
    private static let info = BrowseError.RequestInfo(endpoint: "GET /")

    /// Callers, cancellations, refreshes, retries, other entities, and failures, in any order.
    @Test(arguments: 0..<80)
    func `match the model after any sequence of calls`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let entities = ControlledResponses<Int, Row>()
        let related = ControlledResponses<Row, Page<Row>>()
        let screen = DetailScreen { row throws(BrowseError) in try await related.response(to: row) }
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
        /// Answers the request that waits; a canceled one may have been made after it.
        func answer<Request, Value>(_ held: ControlledResponses<Request, Value>, _ result: Result<Value, BrowseError>) {
            for index in held.requests.indices.reversed() where held.answer(index, with: result) { return }
        }
        func show(_ id: Int) async {
            let caller = await call {
                await screen.show { () throws(BrowseError) in try await entities.response(to: id) }
            }
            model.show(id, caller)
        }
        func settle(_ step: String) async throws {
            do {
                try await waitUntil {
                    entities.waitingCount == (model.entity == nil ? 0 : 1)
                        && related.waitingCount == (model.related == nil ? 0 : 1)
                        && done.value == model.done && shows(model, screen)
                }
            } catch {
                Issue.record(
                    """
                    \(step): \(screen.state.content.status) \(screen.state.related.status) \
                    \(screen.state.related.rows.map(\.id)) notice \(screen.state.notice != nil), \
                    \(entities.waitingCount) + \(related.waitingCount) in flight, \(done.value); \(model)
                    """
                )
                throw error
            }
        }

        await show(1)
        try await settle("show")
        for step in 0..<60 {
            var name = "\(step) "
            switch Int.random(in: 0..<18, using: &random) {
            case 0..<3:
                name += "refresh"
                model.refresh(await call { await screen.refresh() })
            case 3..<6:
                name += "retry"
                model.retry(await call { await screen.retry() })
            case 6..<9:
                guard let caller = tasks.indices.filter({ !model.done.contains($0) }).randomElement(using: &random)
                else { continue }
                name += "cancel \(caller)"
                tasks[caller].cancel()
                model.cancel(caller)
            case 9..<12:
                guard model.entity != nil else { continue }
                name += "answer"
                let version = Int.random(in: 0..<2, using: &random)
                answer(entities, .success(Row(id: model.id, version: version)))
                model.receive(version)
            case 12:
                guard model.entity != nil else { continue }
                let isNotFound = Bool.random(using: &random)
                name += isNotFound ? "not found" : "fail"
                answer(entities, .failure(isNotFound ? .notFound(Self.info) : .timedOut(Self.info)))
                model.fail(isNotFound: isNotFound)
            case 13..<16:
                guard model.related != nil else { continue }
                name += "answer related"
                let rows = Array(step * 10..<step * 10 + Int.random(in: 0..<3, using: &random))
                answer(related, .success(Page(rows)))
                model.receiveRelated(rows)
            case 16:
                guard model.related != nil else { continue }
                name += "fail related"
                answer(related, .failure(.timedOut(Self.info)))
                model.failRelated()
            case 17 where step % 3 == 0:
                name += "show"
                await show(model.id + 1)
            default: continue
            }
            try await settle(name)
        }
        // No caller waits forever.
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    private func shows(_ model: Model, _ screen: DetailScreen) -> Bool {
        let status =
            switch screen.state.content.status {
            case .idle: model.shown == nil && model.entity == nil && !model.isFailed
            case .loading: model.shown == nil && model.entity != nil
            case .loaded(let row): row == model.shown
            case .failed: model.isFailed
            }
        let phase =
            switch screen.related.pagedList.phase {
            case .ready: model.phase == .ready
            case .loading: model.phase == .loading
            case .failed: model.phase == .failed
            case .ended: model.phase == .ended
            }
        return status && phase && (screen.state.notice != nil) == model.hasNotice
            && screen.state.related.rows.map(\.id) == model.rows
    }
}
