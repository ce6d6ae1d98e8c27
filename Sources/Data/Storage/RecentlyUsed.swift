/// Values that each cost something, of which those that were used last are kept, up to a limit of all their costs.
///
/// Reading, inserting and removing cost O(1). It is a list in an array: no value has an object of its own.
struct RecentlyUsed<Key: Hashable, Value> {
    private struct Entry {
        let key: Key
        var value: Value
        var cost: Int
        /// The places of the entries that were used next after and next before this one.
        var newer: Int?
        var older: Int?
    }

    private var places: [Key: Int] = [:]
    private var entries: [Entry?] = []
    private var freePlaces: [Int] = []
    private var newest: Int?
    private var oldest: Int?
    /// What all values cost.
    private(set) var cost = 0
    /// The most that they may cost.
    let limit: Int

    /// - Parameter limit: The most that all values may cost; with a limit of 0 none is kept.
    init(limit: Int) {
        self.limit = limit
    }

    /// How many values are kept.
    var count: Int { places.count }

    /// A value, which counts as used now.
    mutating func value(for key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        if place != newest {
            unlink(place)
            link(place)
        }
        return entries[place]?.value
    }

    /// Keeps a value in place of the one before; those that were not used for longest go for it.
    ///
    /// - Parameter cost: Above 0. A value that costs more than the limit is not kept.
    mutating func insert(_ value: Value, for key: Key, cost: Int) {
        remove(key)
        guard cost <= limit else { return }
        shrink(to: limit - cost)
        let place = freePlaces.popLast() ?? entries.count
        let entry = Entry(key: key, value: value, cost: cost)
        if place == entries.count { entries.append(entry) } else { entries[place] = entry }
        places[key] = place
        self.cost += cost
        link(place)
    }

    /// Forgets a value.
    mutating func remove(_ key: Key) {
        guard let place = places.removeValue(forKey: key) else { return }
        unlink(place)
        cost -= entries[place]?.cost ?? 0
        entries[place] = nil
        freePlaces.append(place)
    }

    /// Forgets those that were not used for longest, until all others cost no more than this.
    mutating func shrink(to cost: Int) {
        while self.cost > cost, let key = oldest.flatMap({ entries[$0]?.key }) { remove(key) }
    }

    private mutating func link(_ place: Int) {
        entries[place]?.older = newest
        entries[place]?.newer = nil
        if let newest { entries[newest]?.newer = place }
        newest = place
        oldest = oldest ?? place
    }

    private mutating func unlink(_ place: Int) {
        let (newer, older) = (entries[place]?.newer, entries[place]?.older)
        if let newer { entries[newer]?.older = older } else { newest = older }
        if let older { entries[older]?.newer = newer } else { oldest = newer }
    }
}
