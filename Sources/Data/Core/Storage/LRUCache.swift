/// A cache with a limit on total cost that evicts the least recently used values first.
///
/// Reading and removing take O(1). Each eviction searches all values, which suits some thousands.
struct LRUCache<Key: Hashable, Value> {
    private var entries: [Key: (value: Value, cost: Int, use: UInt64)] = [:]
    private var lastUse: UInt64 = 0
    /// The total cost of all values.
    private(set) var cost = 0
    let limit: Int

    /// - Parameter limit: The maximum total cost; 0 stores nothing.
    init(limit: Int) {
        self.limit = limit
    }

    /// Returns a value and marks it as the most recently used.
    mutating func value(for key: Key) -> Value? {
        lastUse += 1
        entries[key]?.use = lastUse
        return entries[key]?.value
    }

    /// Inserts or replaces a value, and evicts others if the limit is exceeded.
    ///
    /// A value that costs more than the limit isn't stored.
    mutating func insert(_ value: Value, for key: Key, cost: Int) {
        remove(key)
        guard cost <= limit else { return }
        while self.cost > limit - cost, let oldest = entries.min(by: { $0.value.use < $1.value.use }) {
            remove(oldest.key)
        }
        lastUse += 1
        entries[key] = (value, cost, lastUse)
        self.cost += cost
    }

    mutating func remove(_ key: Key) { cost -= entries.removeValue(forKey: key)?.cost ?? 0 }

    mutating func removeAll() { (entries, cost) = ([:], 0) }
}
