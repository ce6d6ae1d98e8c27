import BrowseDomain

/// Lets a number of tasks do something at once; the others wait, the most urgent and then the oldest first.
final class Lanes: Sendable {
    /// How many lanes are free.
    private let room: WaitingRoom<Int>

    /// - Parameter count: How many at once; below 1 is raised to that.
    init(count: Int) {
        room = WaitingRoom(max(1, count))
    }

    /// How many wait.
    var waiting: Int { room.waiting }

    /// Does something when there is a lane for it.
    ///
    /// - Parameters:
    ///   - urgency: How soon it is wanted.
    ///   - willWait: Called when there is none yet.
    /// - Throws: `.cancelled` when the task is cancelled before it has a lane, or what the work throws.
    func pass<Value>(
        _ urgency: Urgency,
        willWait: () -> Void = {},
        _ work: () async throws(BrowseError) -> Value
    ) async throws(BrowseError) -> Value {
        try await room.enter(urgency, didJoin: { _ in willWait() }, Self.take)
        defer { room.change({ $0 += 1 }, ask: Self.take) }
        return try await work()
    }

    private static func take(_ free: inout Int) -> WaitingRoom<Int>.Answer {
        guard free > 0 else { return .wait }
        free -= 1
        return .enter
    }
}
