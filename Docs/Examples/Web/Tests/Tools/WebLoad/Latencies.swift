/// The durations of requests.
struct Latencies: Sendable {
    private var durations: [Duration] = []

    mutating func append(_ duration: Duration) { durations.append(duration) }
    mutating func append(_ other: Latencies) { durations += other.durations }

    /// The duration in milliseconds that a share of the requests doesn't exceed.
    func percentile(_ share: Double) -> Double {
        let sorted = durations.sorted()
        guard !sorted.isEmpty else { return .nan }
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))] / .milliseconds(1)
    }
}
