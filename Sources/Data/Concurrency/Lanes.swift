import BrowseDomain

/// Lets a number of tasks do something at once; the others wait, the most urgent and then the oldest first.
///
/// Of several lanes the last free one is for what is visible when it begins: a server that says nothing may hold up all that
/// is loaded ahead, and what somebody waits for still goes through.
final class Lanes: Sendable {
    /// How many lanes are free.
    private let room: WaitingRoom<Int>
    private let admit: WaitingRoom<Int>.Admit

    /// - Parameter count: How many at once; below 1 is raised to that.
    init(count: Int) {
        let count = max(1, count)
        admit = { free, priority in
            guard free > (priority == .visible || count == 1 ? 0 : 1) else { return false }
            free -= 1
            return true
        }
        room = WaitingRoom(count, admit: admit)
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
        try await room.enter(urgency, didJoin: { _ in willWait() }) { [admit] free in
            admit(&free, urgency.priority) ? .enter : .wait
        }
        defer { room.change { $0 += 1 } }
        return try await work()
    }
}
