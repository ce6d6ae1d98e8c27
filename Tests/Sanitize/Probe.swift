import Synchronization

/// A program with and without races; `tsan.sh` checks that the sanitizer reports only the races.
@main
enum Probe {
    /// Counters with correct, missing, and inconsistent locking.
    final class Counter: @unchecked Sendable {
        // Unchecked, because the races are intended: the sanitizer must find them.
        let guarded = Mutex(0)
        var bare = 0
        var forgotten = 0
        let lock = Mutex(())
    }

    static func main() async {
        let counter = Counter()
        let part = CommandLine.arguments.dropFirst().first
        await withTaskGroup { group in
            for number in 0..<8 {
                group.addTask {
                    for turn in 0..<20_000 {
                        switch part {
                        // Resumed before, during, and after the suspension of the task.
                        case "resumed": await resume(after: turn % 200)
                        // Eight tasks on one lock usually take the slow path.
                        case "guarded": counter.guarded.withLock { $0 += 1 }
                        case "bare": counter.bare += 1
                        // One of eight tasks doesn't take the lock.
                        case "forgotten" where number == 0: counter.forgotten += 1
                        case "forgotten": counter.lock.withLock { _ in counter.forgotten += 1 }
                        default: return
                        }
                    }
                }
            }
        }
        print(counter.guarded.withLock { $0 }, counter.bare, counter.forgotten)
    }

    /// Receives a new object from another task by a continuation, and changes it.
    private static func resume(after count: Int) async {
        let counter = await withCheckedContinuation { continuation in
            Task.detached { continuation.resume(returning: Counter()) }
            let delay = Atomic(0)
            for _ in 0..<count { delay.add(1, ordering: .relaxed) }
        }
        counter.bare += 1
    }
}
