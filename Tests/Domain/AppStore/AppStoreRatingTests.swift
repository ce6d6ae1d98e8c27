import BrowseAppStoreDomain
import BrowseDomain
import TestLimits
import Testing

@Suite("App rating", .bounded)
struct AppStoreRatingTests {
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
            (0, ".....", 0), (0.49, ".....", 4), (0.5, "h....", 5), (0.999, "h....", 9), (1, "F....", 10),
            (2.49, "FF...", 24), (2.5, "FFh..", 25), (3.96, "FFFh.", 39), (4.4999, "FFFF.", 44), (4.5, "FFFFh", 45),
            (4.7, "FFFFh", 47), (4.75, "FFFFh", 47), (4.999, "FFFFh", 49), (5, "FFFFF", 50), (5.1, "FFFFF", 50),
            (.greatestFiniteMagnitude, "FFFFF", 50), (.infinity, "FFFFF", 50), (-1, ".....", 0), (-0.0, ".....", 0),
            (-.infinity, ".....", 0), (.nan, ".....", 0), (.leastNonzeroMagnitude, ".....", 0),
        ] as [(Double, String, Int)]
    )
    func `has five stars for the unrounded average, and tenths rounded down`(
        average: Double,
        stars: String,
        tenths: Int
    ) {
        #expect(drawn(average) == stars)
        #expect(AppStore.Rating(average: average).tenths == tenths)
    }

    @Test func `rounds every tenth to itself, and a value just below it down`() throws {
        for tenths in 0...50 {
            let value = try #require(Double("\(tenths / 10).\(tenths % 10)"))
            #expect(AppStore.Rating(average: value).tenths == tenths)
            #expect(AppStore.Rating(average: value.nextUp).tenths == tenths)
            if tenths > 0 { #expect(AppStore.Rating(average: value.nextDown).tenths == tenths - 1, "\(value)") }
        }
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
