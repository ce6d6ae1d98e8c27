/// Finds the page that a row is on by the hash of the row's id.
///
/// A table of 64-bit entries, half hash and half page, in place of a `[ID: Int]`. The ids themselves stay in the rows and
/// are looked at only where half a hash is the same. That is what keeps a page of 100 fresh rows as cheap for a list of
/// 100,000 as for an empty one: a row touches one cache line where a dictionary touches three, and growing moves entries
/// without hashing an id again, where a dictionary stood still for longer than a frame.
struct RowIndex: Sendable {
    /// Open addressing with linear probing: the hash in the upper half, the page plus one in the lower; 0 is free.
    private var entries: [UInt64] = []
    private var count = 0

    /// Notes the page of its rows, but of none that is known already, and says of each whether it was not.
    ///
    /// - Parameters:
    ///   - hashes: The hashes of the rows' ids.
    ///   - slot: The page.
    ///   - isOnPage: Whether the row at a position of `hashes` is on a page; asked where half of the hash is the same.
    mutating func insert(_ hashes: [Int], slot: Int, isOnPage: (_ position: Int, _ slot: Int) -> Bool) -> [Bool] {
        if 2 * (count + hashes.count) > entries.count { grow(for: count + hashes.count) }
        // In a large table each read misses the cache. Read all together, they do not wait for each other.
        let first = hashes.map { entries[home(of: Self.key(of: $0))] }
        return hashes.indices.map { position in
            let key = Self.key(of: hashes[position])
            var place = home(of: key)
            // A place that was free may have been taken by a row before; one that was taken still is.
            var entry = first[position] == 0 ? entries[place] : first[position]
            while entry != 0 {
                if Self.key(in: entry) == key, isOnPage(position, Self.slot(in: entry)) { return false }
                place = next(place)
                entry = entries[place]
            }
            entries[place] = key << 32 | UInt64(slot + 1)
            count += 1
            return true
        }
    }

    /// The page of a row; `nil` when it is not known.
    func slot(_ hash: Int, isOnPage: (Int) -> Bool) -> Int? {
        place(hash, isOnPage: isOnPage).map { Self.slot(in: entries[$0]) }
    }

    /// Forgets a row; to be called while the row is still on its page.
    mutating func remove(_ hash: Int, isOnPage: (Int) -> Bool) {
        guard var free = place(hash, isOnPage: isOnPage) else { return }
        count -= 1
        // Entries that were pushed behind the freed place move up, so that no search ends too early.
        var place = next(free)
        while entries[place] != 0 {
            let distance = (place - home(of: Self.key(in: entries[place]))) & (entries.count - 1)
            if distance >= (place - free) & (entries.count - 1) {
                entries[free] = entries[place]
                free = place
            }
            place = next(place)
        }
        entries[free] = 0
    }
}

extension RowIndex {
    private mutating func grow(for count: Int) {
        var size = max(32, entries.count)
        while size < 2 * count { size *= 2 }
        let old = entries
        entries = [UInt64](repeating: 0, count: size)
        for entry in old where entry != 0 {
            var place = home(of: Self.key(in: entry))
            while entries[place] != 0 { place = next(place) }
            entries[place] = entry
        }
    }

    private func place(_ hash: Int, isOnPage: (Int) -> Bool) -> Int? {
        guard !entries.isEmpty else { return nil }
        let key = Self.key(of: hash)
        var place = home(of: key)
        while entries[place] != 0 {
            if Self.key(in: entries[place]) == key, isOnPage(Self.slot(in: entries[place])) { return place }
            place = next(place)
        }
        return nil
    }

    /// The number of entries is a power of two, so a mask takes the place of a remainder. The mask needs only the lower
    /// bits, which is all that a 32-bit `Int` holds.
    private func home(of key: UInt64) -> Int { Int(truncatingIfNeeded: key) & (entries.count - 1) }
    private func next(_ place: Int) -> Int { (place + 1) & (entries.count - 1) }

    private static func key(of hash: Int) -> UInt64 { UInt64(UInt32(truncatingIfNeeded: hash)) }
    private static func key(in entry: UInt64) -> UInt64 { entry >> 32 }
    private static func slot(in entry: UInt64) -> Int { Int(truncatingIfNeeded: entry & 0xFFFF_FFFF) - 1 }
}
