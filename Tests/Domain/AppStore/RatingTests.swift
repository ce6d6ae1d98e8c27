import BrowseAppStoreDomain
import BrowseDomain
import TestLimits
import Testing

@Suite("App rating", .bounded)
struct RatingTests {
    /// `F`, `h`, and `.` for full, half, and empty stars.
    private func drawn(_ average: Double) -> String {
        AppStore.Rating(average: average).stars
            .map { star in
                switch star {
                case .full: "F"
                case .half: "h"
                case .empty: "."
                }
            }
            .joined()
    }

    @Test(
        arguments: [
            (0, "....."), (0.49, "....."), (0.5, "h...."), (0.999, "h...."), (1, "F...."),
            (2.49, "FF..."), (2.5, "FFh.."), (3.96, "FFFh."), (4.4999, "FFFF."), (4.5, "FFFFh"),
            (4.7, "FFFFh"), (4.75, "FFFFh"), (4.999, "FFFFh"), (5, "FFFFF"), (5.1, "FFFFF"),
            (.greatestFiniteMagnitude, "FFFFF"), (.infinity, "FFFFF"), (-1, "....."), (-0.0, "....."),
            (-.infinity, "....."), (.nan, "....."), (.leastNonzeroMagnitude, "....."),
        ] as [(Double, String)]
    )
    func `has five stars for the unrounded average`(average: Double, stars: String) {
        #expect(drawn(average) == stars)
    }

    @Test func `has no fuller star after an emptier one, and never exceeds the average`() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let average = Double.random(in: -1...6, using: &random)
            let rating = AppStore.Rating(average: average, count: 3)
            let worth = rating.stars.map { $0 == .full ? 2 : $0 == .half ? 1 : 0 }
            #expect(worth.count == 5)
            #expect(worth == worth.sorted(by: >))
            #expect(worth.reduce(0, +) == Int(min(max(average, 0), 5) * 2))
        }
    }

    @Test func `turns NaN into a value that equals itself`() {
        #expect(AppStore.Rating(average: .nan) == AppStore.Rating(average: .nan))
        #expect(AppStore.Rating(average: 5.1, count: 2) == AppStore.Rating(average: 5, count: 2))
        #expect(AppStore.Rating(average: 5) != AppStore.Rating(average: 5, count: 0))
    }
}
