import Synchronization

/// Values by their keys, bounded in number and in time without use.
///
/// Time is counted in ticks: ``tick()`` removes values that haven't been used for too many. When the registry is full, the value
/// that was used longest ago is removed; first one that was used only once, so that a flood of clients that never return doesn't
/// displace others. Values in use, such as pages with an open stream, are only removed if all are in use.
final class Registry<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        var value: Value
        /// The number of uses that haven't ended.
        var users = 0
        /// Whether it was used after it was added.
        var hasReturned = false
        var lastTick: Int
        var lastUse: Int
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var ticks = 0
        var uses = 0

        mutating func touch(_ key: Key) {
            uses += 1
            entries[key]?.hasReturned = true
            entries[key]?.lastTick = ticks
            entries[key]?.lastUse = uses
        }

        /// Returns the value that was removed, which must be released without the lock.
        mutating func insert(_ value: Value, for key: Key, _ countLimit: Int) -> Value? {
            let isFull = entries[key] == nil && entries.count >= countLimit
            let removed = entries.removeValue(forKey: isFull ? oldest() ?? key : key)
            uses += 1
            entries[key] = Entry(value: value, lastTick: ticks, lastUse: uses)
            return removed?.value
        }

        /// Returns the key of the value to remove next; `nil` without values.
        func oldest() -> Key? {
            func age(_ entry: Entry) -> (Int, Int, Int) {
                (entry.users > 0 ? 1 : 0, entry.hasReturned ? 1 : 0, entry.lastUse)
            }
            return entries.min { age($0.value) < age($1.value) }?.key
        }
    }

    private let countLimit: Int
    private let tickLimit: Int
    private let state = Mutex(State())

    init(countLimit: Int, tickLimit: Int) { (self.countLimit, self.tickLimit) = (countLimit, tickLimit) }

    var count: Int { state.withLock { $0.entries.count } }

    var values: [Value] { state.withLock { $0.entries.values.map(\.value) } }

    /// Returns a value, which counts as a use.
    func value(for key: Key) -> Value? {
        state.withLock { state in
            state.touch(key)
            return state.entries[key]?.value
        }
    }

    /// Returns the value of a key; adds a new one if there is none that's valid.
    func value(
        for key: Key,
        where isValid: (Value) -> Bool = { _ in true },
        orAdd make: () -> Value
    ) -> Value {
        if let value = value(for: key), isValid(value) { return value }
        let new = make()
        let (value, removed) = state.withLock { state -> (Value, Value?) in
            if let value = state.entries[key]?.value, isValid(value) { return (value, nil) }
            return (new, state.insert(new, for: key, countLimit))
        }
        withExtendedLifetime(removed) {}
        return value
    }

    func isInUse(_ key: Key) -> Bool { state.withLock { $0.entries[key].map { $0.users > 0 } ?? false } }

    func removeAll() { remove { Array($0.entries.keys) } }

    /// Removes the value that was used longest ago.
    func removeOldest() { remove { [$0.oldest()].compactMap(\.self) } }

    func remove(_ key: Key, where condition: (Value) -> Bool) {
        remove { state in state.entries[key].map { condition($0.value) } == true ? [key] : [] }
    }

    /// Adds or ends a use that lasts, such as a stream.
    func use(_ key: Key, _ change: Int) {
        state.withLock { state in
            // A use may end after its value was replaced.
            if let users = state.entries[key]?.users { state.entries[key]?.users = max(0, users + change) }
            state.touch(key)
        }
    }

    /// Counts a tick, and returns whether values were removed that haven't been used for too long.
    @discardableResult
    func tick() -> Bool {
        remove { state in
            state.ticks += 1
            return state.entries.filter { $1.users == 0 && state.ticks - $1.lastTick > tickLimit }.map(\.key)
        }
    }

    @discardableResult
    private func remove(_ keys: (inout State) -> [Key]) -> Bool {
        let removed = state.withLock { state in keys(&state).map { state.entries.removeValue(forKey: $0) } }
        // Released without the lock, since a value may release others.
        return withExtendedLifetime(removed) { !removed.isEmpty }
    }
}
