import BrowseDomain
import TestLimits
import Testing

@Suite(.bounded) struct OneShotTests {
    @Test func `returns a value that was resolved before the wait`() async {
        let shot = OneShot<Int>()
        #expect(shot.resolved == nil)
        #expect(shot.resolve(1))
        #expect(shot.resolved == 1)
        #expect(await shot.value == 1)
    }

    @Test func `counts only the first of many concurrent resolutions`() async {
        for _ in 0..<200 {
            let shot = OneShot<Int>()
            async let value = shot.value
            let winners = await withTaskGroup(of: Int?.self) { group in
                for number in 0..<4 {
                    group.addTask { shot.resolve(number) ? number : nil }
                }
                return await group.reduce(into: [Int]()) { winners, winner in
                    if let winner { winners.append(winner) }
                }
            }
            #expect(await [value] == winners)
        }
    }

    @Test func `a canceled task still waits for the value`() async {
        let shot = OneShot<Int>()
        let task = Task { await shot.value }
        task.cancel()
        shot.resolve(2)
        #expect(await task.value == 2)
    }
}
