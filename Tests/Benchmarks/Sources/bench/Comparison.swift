/// The result of one benchmark: our values and those of the baseline, pair by pair.
struct Comparison: Sendable {
    let name: String
    /// The quantity that was measured, which decides the unit.
    let quantity: Quantity
    /// The most that is allowed; `nil` when it is for information.
    let bound: Bound?
    let pairs: [Pair]

    struct Pair: Sendable {
        var ours: Double
        var bare: Double
        var ratio: Double { ours / bare }
    }

    /// What a comparison is judged by.
    enum Bound: Sendable {
        /// The most that the median of the pairs' ratios may be.
        case ratio(Double)
        /// The most seconds that our median may be over the bare one.
        case excess(Double)
        /// The most that our median may be.
        case most(Double)
    }

    enum Quantity: String, Sendable {
        /// User and system time of all threads of this process.
        case cpu = "CPU"
        case wall
        /// Bytes of resident memory.
        case memory
    }

    var ratio: Double { pairs.map(\.ratio).median }
    var ours: Double { pairs.map(\.ours).median }
    var bare: Double { pairs.map(\.bare).median }

    var isOver: Bool {
        switch bound {
        case .ratio(let most): ratio > most
        case .excess(let most): ours - bare > most
        case .most(let most): ours > most
        case nil: false
        }
    }

    /// Measures both sides in turn, the one that goes first changing from pair to pair, so that whatever else the machine
    /// does and whatever one side leaves behind for the other falls on both.
    static func measure(
        _ name: String,
        _ quantity: Quantity,
        bound: Bound?,
        rounds: Int,
        ours: () async throws -> Double,
        bare: () async throws -> Double
    ) async rethrows -> Comparison {
        var pairs: [Pair] = []
        for round in 0..<rounds {
            if round.isMultiple(of: 2) {
                let seconds = try await ours()
                pairs.append(Pair(ours: seconds, bare: try await bare()))
            } else {
                let seconds = try await bare()
                pairs.append(Pair(ours: try await ours(), bare: seconds))
            }
        }
        return Comparison(name: name, quantity: quantity, bound: bound, pairs: pairs)
    }
}

extension [Double] {
    var median: Double {
        guard !isEmpty else { return .nan }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}
