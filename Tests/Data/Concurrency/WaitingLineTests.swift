import BrowseDomain
import TestSupport
import Testing

@testable import BrowseData

struct `A line of those who wait` {
    @Test func `is left by priority, then by age`() {
        var line = WaitingLine<String>()
        line.join("old and not urgent", as: 1, priority: .prefetch)
        line.join("urgent", as: 2, priority: .visible)
        line.join("less old", as: 3, priority: .prefetch)
        line.join("urgent too", as: 4, priority: .visible)
        #expect((0..<5).map { _ in line.next() } == ["urgent", "urgent too", "old and not urgent", "less old", nil])
    }

    @Test(arguments: 0..<50)
    func `does what a sorted list does, whoever joins, leaves or becomes more or less urgent`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var line = WaitingLine<Int>()
        var model: [(number: Int, priority: LoadPriority)] = []
        func next() -> Int? {
            guard let first = model.max(by: { ($0.priority, -$0.number) < ($1.priority, -$1.number) }) else {
                return nil
            }
            model.removeAll { $0.number == first.number }
            return first.number
        }
        for number in 0..<600 {
            let priority: LoadPriority = .random(in: [.prefetch, .visible], using: &random)
            let known = model.randomElement(using: &random)?.number ?? 0
            switch Int.random(in: 0..<8, using: &random) {
            case 0...3:
                line.join(number, as: number, priority: priority)
                model.append((number, priority))
            case 4:
                #expect(line.next() == next())
            case 5:
                let isThere = model.contains { $0.number == known }
                #expect(line.leave(known) == (isThere ? known : nil))
                model.removeAll { $0.number == known }
            default:
                line.move(known, to: priority)
                if let place = model.firstIndex(where: { $0.number == known }) { model[place].priority = priority }
            }
            #expect(line.count == model.count)
        }
        while let expected = next() { #expect(line.next() == expected) }
        #expect(line.isEmpty)
        #expect(line.next() == nil)
    }

    @Test func `is left by several at once, the oldest first`() {
        var line = WaitingLine<Int>()
        for number in 1...30 { line.join(number, as: number, priority: number % 3 == 0 ? .visible : .prefetch) }
        let leaving = line.leave { $0 % 2 == 0 }
        #expect(leaving == Array(stride(from: 2, through: 30, by: 2)))
        #expect(line.count == 15)
    }
}

extension LoadPriority {
    fileprivate static func random(in all: [Self], using generator: inout SeededGenerator) -> Self {
        all.randomElement(using: &generator) ?? .visible
    }
}
