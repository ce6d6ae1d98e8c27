import BrowseDomain

/// Admits a number of requests at once.
///
/// Of several slots the last free one is for visible requests, so that prefetching can't take them all.
struct RequestSlots: AdmissionRule {
    private let count: Int
    private var free: Int

    /// - Parameter count: The number of requests at once; below 1 is raised to that.
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

    /// Gives a slot back.
    mutating func release() { free += 1 }
}

extension RequestQueue where Rule == RequestSlots {
    /// Creates a queue for a number of requests at once.
    ///
    /// - Parameters:
    ///   - limit: The number; below 1 is raised to that.
    ///   - clock: Measures deadlines.
    convenience init(limit: Int, clock: any Clock<Duration> = ContinuousClock()) {
        self.init(RequestSlots(limit), clock: clock, alarmsAreTimeLimits: true)
    }

    /// Does work once there's a slot for it.
    ///
    /// - Parameters:
    ///   - priority: The priority, which may change while the caller waits.
    ///   - limit: The longest wait; `nil` waits without a limit.
    ///   - info: The request, for the error.
    ///   - willWait: Called when there's no slot at once.
    /// - Throws: `.cancelled` when the task is canceled before there's a slot, `.timedOut` when the limit passes, or what
    ///   the work throws.
    func withSlot<Value>(
        _ priority: SharedPriority,
        waitingAtMost limit: Duration? = nil,
        for info: @autoclosure () -> BrowseError.RequestInfo,
        willWait: () -> Void = {},
        _ work: () async throws(BrowseError) -> Value
    ) async throws(BrowseError) -> Value {
        switch await enter(priority, until: limit.map { now + $0 }, didWait: { _ in willWait() }) {
        case .admitted: break
        case .cancelled: throw .cancelled
        case .refused: throw timeout(info)
        }
        defer { update { slots, _ in slots.release() } }
        return try await work()
    }

    /// Not inlined, so that the frame of a waiter has no room for the request's description.
    @inline(never)
    private func timeout(_ info: () -> BrowseError.RequestInfo) -> BrowseError { .timedOut(info()) }
}
