import BrowseDomain
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

@Suite(.bounded)
struct `Priority buckets` {
    @Test func `remove elements by priority, then by number`() {
        var buckets = PriorityBuckets<String>()
        buckets.insert("old and not urgent", as: 1, priority: .prefetch)
        buckets.insert("urgent", as: 2, priority: .visible)
        buckets.insert("less old", as: 3, priority: .prefetch)
        buckets.insert("urgent too", as: 4, priority: .visible)
        #expect(
            (0..<5).map { _ in buckets.popFirst() } == ["urgent", "urgent too", "old and not urgent", "less old", nil]
        )
    }

    @Test(arguments: 0..<50)
    func `match a sorted list after random operations`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var buckets = PriorityBuckets<Int>()
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
                buckets.insert(number, as: number, priority: priority)
                model.append((number, priority))
            case 4:
                #expect(buckets.popFirst() == next())
            case 5:
                let isThere = model.contains { $0.number == known }
                #expect(buckets.remove(known) == (isThere ? known : nil))
                model.removeAll { $0.number == known }
            default:
                buckets.move(known, to: priority)
                if let place = model.firstIndex(where: { $0.number == known }) { model[place].priority = priority }
            }
            #expect(buckets.count == model.count)
        }
        while let expected = next() { #expect(buckets.popFirst() == expected) }
        #expect(buckets.isEmpty)
        #expect(buckets.popFirst() == nil)
    }

    @Test func `sort elements that are inserted out of order`() {
        var buckets = PriorityBuckets<Int>()
        for number in [5, 2, 9, 1, 7] { buckets.insert(number, as: number, priority: .prefetch) }
        buckets.move(7, to: .visible)
        buckets.move(7, to: .prefetch)
        #expect((0..<6).map { _ in buckets.popFirst() } == [1, 2, 5, 7, 9, nil])
    }

    @Test func `remove several elements in the order of their numbers`() {
        var buckets = PriorityBuckets<Int>()
        for number in 1...30 { buckets.insert(number, as: number, priority: number % 3 == 0 ? .visible : .prefetch) }
        let leaving = buckets.removeAll { $0 % 2 == 0 }
        #expect(leaving == Array(stride(from: 2, through: 30, by: 2)))
        #expect(buckets.count == 15)
    }
}

extension LoadPriority {
    fileprivate static func random(in all: [Self], using generator: inout SeededGenerator) -> Self {
        all.randomElement(using: &generator) ?? .visible
    }
}
