import BrowseDomain
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct `A broadcast` {
    /// Cancellation holds a lock of the listener's task, which sending a value to it acquires.
    @Test func `sends values while its listeners are canceled`() async {
        for round in 0..<rounds(8_000) {
            let broadcast = Broadcast<Int>()
            let (started, signal) = AsyncStream.makeStream(of: Void.self)
            let listener = Task {
                let values = broadcast.stream()
                signal.finish()
                for await _ in values {}
            }
            for await _ in started {}
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for value in 0..<3 { broadcast.send(value) } }
                group.addTask {
                    for _ in 0..<round % 50 where Task.isCancelled { return }
                    listener.cancel()
                }
            }
            await listener.value
        }
    }

    @Test func `has no listeners after their tasks are canceled`() async {
        let broadcast = Broadcast<Int>()
        let (started, signal) = AsyncStream.makeStream(of: Void.self)
        let listener = Task {
            let values = broadcast.stream()
            signal.finish()
            for await _ in values {}
        }
        for await _ in started {}
        #expect(broadcast.hasListeners)
        listener.cancel()
        await listener.value
        #expect(!broadcast.hasListeners)
    }
}
