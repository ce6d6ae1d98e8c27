/// A cache with a limit on total cost that evicts the least recently used values first.
///
/// Reading, inserting, and removing take O(1). Entries form a linked list inside one array, without an object per value.
struct LRUCache<Key: Hashable, Value> {
    private struct Entry {
        let key: Key
        var value: Value
        var cost: Int
        /// The indices of this entry's neighbors in the order of use.
        var newer: Int?
        var older: Int?
    }

    private var indices: [Key: Int] = [:]
    private var entries: [Entry?] = []
    private var freeIndices: [Int] = []
    private var newest: Int?
    private var oldest: Int?
    /// The total cost of all values.
    private(set) var cost = 0
    let limit: Int

    /// - Parameter limit: The maximum total cost; 0 stores nothing.
    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { indices.count }

    /// Returns a value and marks it as the most recently used.
    mutating func value(for key: Key) -> Value? {
        guard let index = indices[key] else { return nil }
        if index != newest {
            unlink(index)
            link(index)
        }
        return entries[index]?.value
    }

    /// Inserts or replaces a value, and evicts others to make room.
    ///
    /// - Parameter cost: Above 0. A value whose cost exceeds the limit isn't stored.
    mutating func insert(_ value: Value, for key: Key, cost: Int) {
        remove(key)
        guard cost <= limit else { return }
        evict(to: limit - cost)
        let index = freeIndices.popLast() ?? entries.count
        let entry = Entry(key: key, value: value, cost: cost)
        if index == entries.count { entries.append(entry) } else { entries[index] = entry }
        indices[key] = index
        self.cost += cost
        link(index)
    }

    mutating func remove(_ key: Key) {
        guard let index = indices.removeValue(forKey: key) else { return }
        unlink(index)
        cost -= entries[index]?.cost ?? 0
        entries[index] = nil
        freeIndices.append(index)
    }

    mutating func removeAll(where condition: (Value) -> Bool) {
        for entry in entries {
            if let entry, condition(entry.value) { remove(entry.key) }
        }
    }

    /// Evicts values until the total cost is at most the given one.
    mutating func evict(to cost: Int) {
        while self.cost > cost, removeOldest() != nil {}
    }

    /// Removes and returns the least recently used value.
    mutating func removeOldest() -> Value? {
        guard let entry = oldest.flatMap({ entries[$0] }) else { return nil }
        remove(entry.key)
        return entry.value
    }

    private mutating func link(_ index: Int) {
        entries[index]?.older = newest
        entries[index]?.newer = nil
        if let newest { entries[newest]?.newer = index }
        newest = index
        oldest = oldest ?? index
    }

    private mutating func unlink(_ index: Int) {
        let (newer, older) = (entries[index]?.newer, entries[index]?.older)
        if let newer { entries[newer]?.older = older } else { newest = older }
        if let older { entries[older]?.newer = newer } else { oldest = newer }
    }
}
