public import BrowseDomain
public import Foundation
import Synchronization

/// Sends nothing into a budget that is used up: requests wait until it is whole again, or fail at once with the time, as
/// their patience says.
///
/// There is a budget for each bucket and account, learned from the headers of every reply (`X-RateLimit-…`), and from
/// refusals. When the service asks to slow down ("secondary limit"), all buckets of the account are closed: for the time it
/// names, or for a minute, twice as long each time it happens again, a quarter of an hour at most. Who waits is let in by
/// urgency, then by age, and only as many as the budget has room for.
///
/// Source: GitHub's "Rate limits for the REST API".
public final class RateLimitGate: HTTPMiddleware {
    private struct Key: Hashable {
        let account: String?
        let bucket: String
    }

    /// What is known of a bucket, and of its account.
    fileprivate struct Budget: Sendable {
        var limit: Int?
        var remaining: Int?
        /// When the count ends by the server's clock, which tells one count from another.
        var reset: Date?
        /// When it ends by the clock here.
        var resetsAt: Date?
        /// How many of the remaining ones are on their way.
        var pending = 0
        var closing: Closing?

        /// Why nothing gets in now, and until when; `nil` when there is room.
        func refusal(at now: Date) -> Closing? {
            if let closing, closing.end > now { return closing }
            guard let remaining, let resetsAt, resetsAt > now, remaining - pending <= 0 else { return nil }
            return Closing(kind: .primary, end: resetsAt, isServerTime: true)
        }

        /// When time alone may make room; `nil` when a reply has to tell.
        var nextLook: Date? { closing?.end ?? resetsAt }
    }

    fileprivate struct Closing: Hashable {
        var kind: BrowseError.RateLimit.Kind
        var end: Date
        var isServerTime: Bool

        func error(_ info: BrowseError.RequestInfo) -> BrowseError {
            .rateLimited(BrowseError.RateLimit(kind: kind, retryAt: end, isServerTime: isServerTime), info)
        }
    }

    /// How often an account was asked to slow down.
    private struct Strikes {
        /// Without having been answered between.
        var inRow = 0
        var total = 0
    }

    private typealias Room = WaitingRoom<Budget>

    private struct State {
        var rooms: [Key: Room] = [:]
        var strikes: [String?: Strikes] = [:]
        /// When each room is looked at again because time has passed.
        var alarms: [Key: (date: Date, task: Task<Void, Never>)] = [:]
        /// Whose budgets are shown: that of the last reply.
        var shown: String?
    }

    private let service: HTTPClient.Service
    private let now: @Sendable () -> Date
    private let clock: any Clock<Duration>
    private let state = Mutex(State())
    private let broadcast = Broadcast<[RateBudget]>(kept: [])
    /// Taken while it is told what is known, so that the newest is told last.
    private let telling = Mutex(())

    /// Creates the middleware; nothing is known yet.
    ///
    /// - Parameters:
    ///   - service: Tells which replies mean that a budget is used up.
    ///   - now: The current time, which has to go on as the clock does.
    ///   - clock: Measures waits.
    public init(
        service: HTTPClient.Service,
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.service = service
        self.now = now
        self.clock = clock
    }

    deinit {
        for alarm in state.withLock({ $0.alarms }).values { alarm.task.cancel() }
    }

    /// What is known of the account that asked last, by bucket.
    public var budgets: [RateBudget] { broadcast.kept ?? [] }

    /// What is known, now and after each change; a slow listener gets the newest.
    public var changes: AsyncStream<[RateBudget]> { broadcast.stream(.bufferingNewest(1)) }

    /// How many requests wait for a budget.
    var waiting: Int { state.withLock { Array($0.rooms.values) }.reduce(0) { $0 + $1.waiting } }

    /// Hands the request on when there is a budget for it.
    ///
    /// - Throws: `.rateLimited` when there is none within the request's patience.
    public func send(
        _ request: HTTPRequest,
        next: @escaping @Sendable (HTTPRequest) async throws(BrowseError) -> HTTPResponse
    ) async throws(BrowseError) -> HTTPResponse {
        guard let bucket = request.bucket else {
            let response = try await next(request)
            note(response, to: Key(account: request.account, bucket: RateBudget.core), strikesBefore: nil)
            return response
        }
        let key = Key(account: request.account, bucket: bucket)
        let room = room(for: key)
        try await enter(room, key, request)
        let strikes = state.withLock { $0.strikes[request.account]?.total ?? 0 }
        do throws(BrowseError) {
            let response = try await next(request)
            note(response, to: key, strikesBefore: strikes)
            return response
        } catch {
            // Whether it has cost something is not known; the next reply tells.
            change(room, key) { $0.pending = max(0, $0.pending - 1) }
            throw error
        }
    }

    /// Takes what the service tells of budgets in another way than by headers.
    ///
    /// - Parameter budgets: What is left to the account that asked last.
    func learn(_ budgets: [RateBudget]) {
        let (account, now) = (state.withLock { $0.shown }, now())
        for told in budgets.map(ToldBudget.init) {
            guard let key = key(of: told, toldTo: Key(account: account, bucket: RateBudget.core)) else { continue }
            change(room(for: key), key) { budget in
                // It was asked for just now, so that what was told before is older.
                budget.reset = nil
                budget.learn(told, at: now)
            }
        }
        show(account)
    }
}

extension RateLimitGate.Budget {
    /// Replies overtake each other: within one count the least is true, and a count that is over tells nothing.
    fileprivate mutating func learn(_ told: ToldBudget, at now: Date) {
        if let reset, told.reset < reset { return }
        let isKnown = reset == told.reset
        remaining = isKnown ? min(remaining ?? .max, told.remaining) : told.remaining
        limit = told.limit
        // Each is a little late, by the time that its reply took.
        resetsAt = isKnown ? min(resetsAt ?? told.resetsAt, told.resetsAt) : told.resetsAt
        // A clock that is ahead here would take it for whole again; who waits is looked at when this is over.
        if remaining == 0, let end = resetsAt { resetsAt = max(end, now.addingTimeInterval(RateLimitGate.moment)) }
        reset = told.reset
    }
}

extension RateLimitGate {
    private static var longestClosing: TimeInterval { 900 }
    /// How long nothing is sent, in seconds, when nobody tells how long.
    fileprivate static var moment: TimeInterval { 1 }
    /// The most buckets of an account; a server could make up names without end.
    private static var mostBuckets: Int { 32 }

    /// Which budget a reply tells of; `nil` when it is none to be noted.
    private func key(of told: ToldBudget, toldTo key: Key) -> Key? {
        // The reply knows best which bucket it was counted in.
        guard let bucket = told.bucket, bucket != key.bucket else { return key }
        let toldKey = Key(account: key.account, bucket: bucket)
        let isNoted = state.withLock { state in
            state.rooms[toldKey] != nil || state.rooms.keys.count { $0.account == key.account } < Self.mostBuckets
        }
        return isNoted ? toldKey : nil
    }

    private func room(for key: Key) -> Room {
        let now = now()
        return state.withLock { state in
            if let room = state.rooms[key] { return room }
            var budget = Budget()
            // What the account was asked holds for buckets that it uses for the first time, too.
            budget.closing = state.rooms.filter { $0.key.account == key.account }
                .compactMap { $0.value.look { $0.closing } }
                .filter { $0.end > now && $0.kind == .secondary }
                .max { $0.end < $1.end }
            let room = Room(budget) { [now = self.now] budget, _ in
                // Until the next reply tells, a new count has as much room as the last one had.
                let isFull = budget.remaining.map { $0 - budget.pending <= 0 } ?? false
                guard !isFull, budget.refusal(at: now()) == nil else { return false }
                budget.pending += 1
                return true
            }
            state.rooms[key] = room
            return room
        }
    }

    private func enter(_ room: Room, _ key: Key, _ request: HTTPRequest) async throws(BrowseError) {
        let (now, info) = (now, request.info)
        // The latest date that is a date: adding an endless patience to now gives none.
        let patience = min(request.options.patience, .seconds(1_000_000_000))
        let deadline = now().addingTimeInterval(patience.timeInterval)
        try await room.enter(
            .current(or: request.options.priority),
            until: deadline,
            // Of those who have no time to wait, the server decides.
            isPatient: patience > .zero
        ) { [self] budget in
            ExchangeTrace.note(.waiting(.budget(until: budget.refusal(at: now())?.end)))
            setAlarm(for: key, at: budget.nextLook ?? deadline)
        } _: { budget in
            Self.renew(&budget, at: now())
            guard let refusal = budget.refusal(at: now()) else {
                budget.pending += 1
                return .enter
            }
            return refusal.end <= deadline ? .wait : .refuse(refusal.error(info))
        }
    }

    /// Begins a budget's count anew when its time has come.
    private static func renew(_ budget: inout Budget, at now: Date) {
        if let closing = budget.closing, closing.end <= now { budget.closing = nil }
        if let resetsAt = budget.resetsAt, resetsAt <= now {
            // One at least, since nothing but a reply tells of a better count.
            budget.remaining = budget.limit.map { max(1, $0) }
            (budget.reset, budget.resetsAt) = (nil, nil)
        }
    }

    /// Changes what is known of a bucket, and lets in whom it has room for.
    private func change(_ room: Room, _ key: Key, _ change: @escaping @Sendable (inout Budget) -> Void) {
        let now = now
        room.change { budget in
            Self.renew(&budget, at: now())
            change(&budget)
        } expire: { budget in
            let (now, info) = (now(), BrowseError.RequestInfo(endpoint: key.bucket))
            if let refusal = budget.refusal(at: now) { return (refusal.end, refusal.error(info)) }
            // Those who wait for the replies of others have no time left either, once it is over.
            let moment = now.addingTimeInterval(Self.moment)
            let patience = Closing(kind: .primary, end: moment, isServerTime: false)
            return (now.addingTimeInterval(0.001), patience.error(info))
        }
        if let deadline = room.earliestDeadline {
            setAlarm(for: key, at: room.look { $0.nextLook } ?? deadline)
        }
    }

    /// Has a bucket looked at when time has passed; one alarm for all who wait, so that nobody polls.
    private func setAlarm(for key: Key, at date: Date) {
        let date = max(date, now().addingTimeInterval(0.05))
        let old = state.withLock { state -> Task<Void, Never>? in
            if let alarm = state.alarms[key], alarm.date <= date { return nil }
            let old = state.alarms[key]?.task
            let task = Task { [clock, now, weak self] in
                guard (try? await Self.sleep(until: date, now, by: clock)) != nil else { return }
                self?.ring(for: key, at: date)
            }
            state.alarms[key] = (date, task)
            return old
        }
        old?.cancel()
    }

    /// Sleeps until a date, or for less when the clock goes on while this begins: who is woken early sleeps again, and who is
    /// woken late was kept waiting.
    private static func sleep(
        until date: Date,
        _ now: @Sendable () -> Date,
        by clock: some Clock<Duration>
    ) async throws {
        let start = clock.now
        try await clock.sleep(
            until: start.advanced(by: .seconds(max(0, date.timeIntervalSince(now())))),
            tolerance: nil
        )
    }

    private func ring(for key: Key, at date: Date) {
        state.withLock { state in
            if state.alarms[key]?.date == date { state.alarms[key] = nil }
        }
        change(room(for: key), key) { _ in }
        show(key.account)
    }

    /// Learns from a reply what is left.
    ///
    /// - Parameter strikesBefore: How often the account had been asked to slow down when the request was sent; `nil` when it
    ///   drew on no budget.
    private func note(_ response: HTTPResponse, to key: Key, strikesBefore: Int?) {
        let now = now()
        let told = ToldBudget(response.headers, now: now)
        let limit = service.rateLimit(of: response)
        let toldKey = told.flatMap { self.key(of: $0, toldTo: key) }
        if let strikesBefore {
            if let limit, limit.kind == .secondary {
                close(key.account, limit, strikesBefore: strikesBefore)
            } else if limit == nil {
                state.withLock { state in
                    if state.strikes[key.account]?.total == strikesBefore { state.strikes[key.account]?.inRow = 0 }
                }
            }
            // In one step: between two, what the request has cost would look like room for another.
            change(room(for: key), key) { budget in
                budget.pending = max(0, budget.pending - 1)
                if let told, toldKey == key { budget.learn(told, at: now) }
                if let limit, limit.kind == .primary, told == nil {
                    budget.closing = Closing(kind: .primary, end: limit.retryAt, isServerTime: limit.isServerTime)
                }
            }
        }
        if let told, let toldKey, strikesBefore == nil || toldKey != key {
            change(room(for: toldKey), toldKey) { $0.learn(told, at: now) }
        }
        show(key.account)
    }

    /// Closes all of an account's buckets, since the service asked to slow down.
    private func close(_ account: String?, _ limit: BrowseError.RateLimit, strikesBefore: Int) {
        let now = now()
        let (rooms, count) = state.withLock { state in
            var strikes = state.strikes[account] ?? Strikes()
            // Those that were on their way together are asked together.
            if strikes.total == strikesBefore {
                strikes.total += 1
                strikes.inRow = min(strikes.inRow + 1, 10)
                state.strikes[account] = strikes
            }
            return (state.rooms.filter { $0.key.account == account }, strikes.inRow)
        }
        let wait = min(limit.retryAt.timeIntervalSince(now) * pow(2, Double(max(1, count) - 1)), Self.longestClosing)
        let closing = Closing(
            kind: .secondary,
            end: limit.isServerTime ? limit.retryAt : now.addingTimeInterval(wait),
            isServerTime: limit.isServerTime
        )
        for (key, room) in rooms {
            change(room, key) { budget in
                if (budget.closing?.end ?? .distantPast) < closing.end { budget.closing = closing }
            }
        }
    }

    /// Tells whoever watches what is known of an account.
    private func show(_ account: String?) {
        telling.withLock { _ in tell(account) }
    }

    private func tell(_ account: String?) {
        let now = now()
        let rooms = state.withLock { state in
            state.shown = account
            return state.rooms.filter { $0.key.account == account }
        }
        let budgets = rooms.compactMap { key, room -> RateBudget? in
            let budget = room.look { $0 }
            guard let limit = budget.limit, let remaining = budget.remaining else { return nil }
            return RateBudget(
                bucket: key.bucket,
                limit: limit,
                remaining: remaining,
                resetsAt: budget.resetsAt ?? now,
                closedUntil: budget.closing.flatMap { $0.end > now ? $0.end : nil }
            )
        }
        .sorted { $0.bucket < $1.bucket }
        if budgets != broadcast.kept { broadcast.send(budgets, isKept: true) }
    }
}

/// What a service tells of a budget.
private struct ToldBudget: Sendable {
    let bucket: String?
    let limit: Int
    let remaining: Int
    /// When the count ends by the server's clock.
    let reset: Date
    /// When it ends by the clock here.
    let resetsAt: Date

    init?(_ headers: HTTPHeaders, now: Date) {
        guard let limit = headers["X-RateLimit-Limit"].flatMap({ Int($0) }), limit >= 0,
            let remaining = headers["X-RateLimit-Remaining"].flatMap({ Int($0) }), remaining >= 0,
            let reset = headers["X-RateLimit-Reset"].flatMap(RetryAfter.reset),
            let resetsAt = RetryAfter.resetDate(headers, now: now)
        else { return nil }
        bucket = headers["X-RateLimit-Resource"].flatMap { $0.utf8.count <= 64 ? $0 : nil }
        (self.limit, self.remaining, self.reset, self.resetsAt) = (limit, remaining, reset, resetsAt)
    }

    init(_ budget: RateBudget) {
        (bucket, limit, remaining) = (budget.bucket, budget.limit, budget.remaining)
        (reset, resetsAt) = (budget.resetsAt, budget.resetsAt)
    }
}

extension HTTPClient.Service {
    /// The wait that a reply asks for; `nil` when it asks for none.
    func rateLimit(of response: HTTPResponse) -> BrowseError.RateLimit? {
        guard [403, 429].contains(response.status),
            case .rateLimited(let limit, _) = failure(response, BrowseError.RequestInfo(endpoint: ""))
        else { return nil }
        return limit
    }
}

extension Duration {
    /// The duration in seconds.
    var timeInterval: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
