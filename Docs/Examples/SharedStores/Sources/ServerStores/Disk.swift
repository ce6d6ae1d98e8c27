import Dispatch

/// Works with files on a queue of its own.
///
/// A disk that hangs would otherwise block the threads of all tasks.
struct Disk: Sendable {
    /// The work takes too long. It goes on, without anybody who waits for it.
    struct Slow: Error {}

    private let queue: DispatchQueue
    private let patience: Duration?

    /// - Parameter patience: The longest wait for a result; `nil` has no limit.
    init(_ name: String, patience: Duration? = nil) {
        queue = DispatchQueue(label: name)
        self.patience = patience
    }

    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let (results, result) = AsyncStream<Result<Value, any Error>>.makeStream()
        queue.async {
            result.yield(Result { try work() })
            result.finish()
        }
        if let patience {
            DispatchQueue.global().asyncAfter(deadline: .now() + patience / .seconds(1)) { result.finish() }
        }
        guard let value = await results.first(where: { _ in true }) else { throw Slow() }
        return try value.get()
    }
}
