import TestLimits
import TestSupport
import Testing

@testable import BrowseData

/// A simple list, with the most recently used entry at its end.
private struct Model {
    var entries: [(key: Int, value: Int, cost: Int)] = []
    let limit: Int

    var cost: Int { entries.reduce(0) { $0 + $1.cost } }

    mutating func value(for key: Int) -> Int? {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
        entries.append(entries.remove(at: index))
        return entries.last?.value
    }

    mutating func insert(_ value: Int, for key: Int, cost: Int) {
        entries.removeAll { $0.key == key }
        guard cost <= limit else { return }
        entries.append((key, value, cost))
        while self.cost > limit { entries.removeFirst() }
    }

    mutating func evict(to cost: Int) {
        while self.cost > cost { entries.removeFirst() }
    }
}

@Suite(.bounded) struct `An LRU cache` {
    @Test(arguments: 0..<20)
    func `matches a simple list after random operations`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let limit = Int.random(in: 0...40, using: &random)
        var model = Model(limit: limit)
        var cache = LRUCache<Int, Int>(limit: limit)
        for step in 0..<2000 {
            let key = Int.random(in: 0..<12, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<9: #expect(cache.value(for: key) == model.value(for: key))
            case 9..<17:
                let cost = Int.random(in: 1...15, using: &random)
                cache.insert(step, for: key, cost: cost)
                model.insert(step, for: key, cost: cost)
            case 17..<19:
                cache.remove(key)
                model.entries.removeAll { $0.key == key }
            default:
                let cost = Int.random(in: 0...limit, using: &random)
                cache.evict(to: cost)
                model.evict(to: cost)
            }
            #expect(cache.count == model.entries.count)
            #expect(cache.cost == model.cost)
            #expect(cache.cost <= limit)
        }
        for entry in model.entries { #expect(cache.value(for: entry.key) == entry.value) }
    }
}
