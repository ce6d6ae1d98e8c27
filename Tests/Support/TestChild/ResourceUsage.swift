#if os(macOS) || os(Linux)
/// A snapshot of the memory and descriptors of this process.
struct ResourceUsage {
    private let memory = ProcessMemory.resident ?? 0
    private let descriptors = ProcessMemory.descriptors ?? 0

    /// Writes `memory BEFORE AFTER` in KiB and `descriptors BEFORE AFTER`.
    func report() async {
        // Threads close connections after the last call has returned, without notification.
        let end = ContinuousClock.now + .seconds(10)
        while (ProcessMemory.descriptors ?? 0) > descriptors, ContinuousClock.now < end { await Task.yield() }
        TestChild.write("memory \(memory >> 10) \((ProcessMemory.resident ?? 0) >> 10)")
        TestChild.write("descriptors \(descriptors) \(ProcessMemory.descriptors ?? 0)")
    }
}
#endif
