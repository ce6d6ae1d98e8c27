import BrowseDomain

/// An admission policy that limits the number of concurrent requests.
///
/// With several slots, the last free one is reserved for visible requests, so that prefetching can't use them all.
struct RequestSlots: AdmissionRule {
    private let count: Int
    private var free: Int

    /// - Parameter count: The maximum number of concurrent requests; at least 1.
    init(_ count: Int) {
        self.count = max(1, count)
        free = self.count
    }

    mutating func admit(_ priority: LoadPriority, at now: Duration) -> Bool {
        guard free > (priority == .visible || count == 1 ? 0 : 1) else { return false }
        free -= 1
        return true
    }

    func refusal(at now: Duration) -> (reason: Void, end: Duration?) { ((), nil) }

    mutating func release() { free += 1 }
}

extension RequestQueue where Rule == RequestSlots {
    /// - Parameters:
    ///   - limit: The maximum number of concurrent requests; at least 1.
    ///   - clock: The clock that measures deadlines.
    convenience init(limit: Int, clock: any Clock<Duration> = ContinuousClock()) {
        self.init(RequestSlots(limit), clock: clock, alarmsAreTimeLimits: true)
    }

    /// Suspends the caller until a slot is free, and runs a closure while holding it.
    ///
    /// - Parameters:
    ///   - priority: The priority, which can change while the caller waits.
    ///   - limit: The longest wait; `nil` is unlimited.
    ///   - info: The request, for the error.
    ///   - willWait: Called if the caller has to wait.
    ///   - work: Runs while the slot is held.
    /// - Throws: `.cancelled` if the task is canceled while it waits, `.timedOut` after the limit, or the error of the
    ///   closure.
    func withSlot<Value>(
        _ priority: CoalescedPriority,
        waitingAtMost limit: Duration? = nil,
        for info: @autoclosure () -> BrowseError.RequestInfo,
        willWait: () -> Void = {},
        _ work: () async throws(BrowseError) -> Value
    ) async throws(BrowseError) -> Value {
        switch await enter(priority, until: limit.map { now + $0 }, didWait: { _ in willWait() }) {
        case .admitted: break
        case .cancelled: throw .cancelled
        case .refused: throw .timedOut(info())
        }
        defer { update { slots, _ in slots.release() } }
        return try await work()
    }
}
