/// The result of a benchmark: pairs of our values and the baseline's.
struct Comparison: Sendable {
    let name: String
    /// The measured quantity, which determines the unit.
    let quantity: Quantity
    /// The allowed maximum; `nil` if it's for information.
    let bound: Bound?
    let pairs: [Pair]

    struct Pair: Sendable {
        var ours: Double
        var bare: Double
        var ratio: Double { ours / bare }
    }

    /// The bound of a comparison.
    enum Bound: Sendable {
        /// The maximum of the median ratio.
        case ratio(Double)
        /// The maximum difference between our median and the bare one, in seconds.
        case excess(Double)
        /// The maximum of our median.
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

    /// Measures both sides alternately, and swaps their order after each pair.
    ///
    /// So other load on the machine and side effects between the sides affect both equally.
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
