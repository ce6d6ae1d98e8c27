import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct `A generator with a seed` {
    /// The number of bits in which two generators differ, for each of their first numbers.
    private func distances(_ left: UInt64, _ right: UInt64) -> [Int] {
        var (left, right) = (SeededGenerator(seed: left), SeededGenerator(seed: right))
        return (0..<8).map { _ in (left.next() ^ right.next()).nonzeroBitCount }
    }

    /// Tests repeat random operations with the seeds 0, 1, 2, and so on.
    @Test func `gives unrelated numbers for neighboring seeds`() {
        var sums = [Int](repeating: 0, count: 8)
        for seed in UInt64(0)..<2_000 {
            for (index, distance) in distances(seed, seed + 1).enumerated() { sums[index] += distance }
        }
        // Unrelated numbers differ in 32 of 64 bits; the standard deviation of this average is 0.09.
        for sum in sums { #expect(abs(Double(sum) / 2_000 - 32) < 0.6) }
    }

    @Test func `makes each first choice for as many seeds, and each pair of choices`() {
        var pairs = [Int](repeating: 0, count: 100)
        for seed in UInt64(0)..<10_000 {
            var random = SeededGenerator(seed: seed)
            let (first, second) = (Int.random(in: 0..<10, using: &random), Int.random(in: 0..<10, using: &random))
            pairs[10 * first + second] += 1
        }
        // The standard deviation is 10.
        #expect(pairs.allSatisfy { (50...150).contains($0) })
    }

    @Test func `gives the same numbers for the same seed`() {
        #expect(distances(7, 7) == [Int](repeating: 0, count: 8))
    }
}
