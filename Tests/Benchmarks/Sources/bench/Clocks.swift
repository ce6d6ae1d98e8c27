import Foundation

/// The seconds that some work takes by the clock on the wall.
func wallSeconds(_ work: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await work()
    return (ContinuousClock.now - start) / .seconds(1)
}

/// The seconds that some work takes of all processors together: user and system time of every thread of this process.
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

/// Notes how long each of many short pieces of work takes.
struct Stopwatch {
    private(set) var seconds: [Double] = []

    /// - Parameter count: How many there will be, so that making room is not measured.
    init(count: Int) {
        seconds.reserveCapacity(count)
    }

    mutating func time(_ work: () throws -> Void) rethrows {
        let start = ContinuousClock.now
        try work()
        seconds.append((ContinuousClock.now - start) / .seconds(1))
    }
}

/// Keeps the optimizer from leaving out work whose result nobody wants.
@inline(never)
func keep<Value>(_ value: Value) {
    withExtendedLifetime(value) {}
}
