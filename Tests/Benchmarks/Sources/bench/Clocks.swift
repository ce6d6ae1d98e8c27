import Foundation

/// Measures the wall time of a closure in seconds.
func wallSeconds(_ work: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await work()
    return (ContinuousClock.now - start) / .seconds(1)
}

/// Measures the CPU time of a closure in seconds: user and system time of all threads of this process.
func cpuSeconds(_ work: () async throws -> Void) async rethrows -> Double {
    let start = processSeconds()
    try await work()
    return processSeconds() - start
}

private func processSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// Records the durations of many short operations.
struct Stopwatch {
    private(set) var seconds: [Double] = []

    /// - Parameter count: The number of operations, to reserve capacity in advance.
    init(count: Int) {
        seconds.reserveCapacity(count)
    }

    mutating func time(_ work: () throws -> Void) rethrows {
        let start = ContinuousClock.now
        try work()
        seconds.append((ContinuousClock.now - start) / .seconds(1))
    }
}

/// Prevents the optimizer from removing work with an unused result.
@inline(never)
func keep<Value>(_ value: Value) {
    withExtendedLifetime(value) {}
}
