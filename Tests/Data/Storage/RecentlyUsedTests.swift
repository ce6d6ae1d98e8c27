import TestSupport
import Testing

@testable import BrowseData

/// The rule in the simplest words: a list, the last used at its end.
private struct Model {
    var entries: [(key: Int, value: Int, cost: Int)] = []
    let limit: Int

    var cost: Int { entries.reduce(0) { $0 + $1.cost } }

    mutating func value(for key: Int) -> Int? {
        guard let place = entries.firstIndex(where: { $0.key == key }) else { return nil }
        entries.append(entries.remove(at: place))
        return entries.last?.value
    }

    mutating func insert(_ value: Int, for key: Int, cost: Int) {
        entries.removeAll { $0.key == key }
        guard cost <= limit else { return }
        entries.append((key, value, cost))
        while self.cost > limit { entries.removeFirst() }
    }

    mutating func shrink(to cost: Int) {
        while self.cost > cost { entries.removeFirst() }
    }
}

@Suite struct `Values that were used recently` {
    @Test(arguments: 0..<20)
    func `are those of a simple list, after anything that may happen`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let limit = Int.random(in: 0...40, using: &random)
        var model = Model(limit: limit)
        var values = RecentlyUsed<Int, Int>(limit: limit)
        for step in 0..<2000 {
            let key = Int.random(in: 0..<12, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<9: #expect(values.value(for: key) == model.value(for: key))
            case 9..<17:
                let cost = Int.random(in: 1...15, using: &random)
                values.insert(step, for: key, cost: cost)
                model.insert(step, for: key, cost: cost)
            case 17..<19:
                values.remove(key)
                model.entries.removeAll { $0.key == key }
            default:
                let cost = Int.random(in: 0...limit, using: &random)
                values.shrink(to: cost)
                model.shrink(to: cost)
            }
            #expect(values.count == model.entries.count)
            #expect(values.cost == model.cost)
            #expect(values.cost <= limit)
        }
        for entry in model.entries { #expect(values.value(for: entry.key) == entry.value) }
    }
}
