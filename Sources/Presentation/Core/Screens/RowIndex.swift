/// Finds the page of a row by the hash of the row's id.
///
/// It's a hash table of 64-bit entries: 32 bits of the hash, and 32 bits for the page. The ids stay in the rows, and are
/// compared only if the hashes match. Compared with a `[ID: Int]`, a lookup touches one cache line instead of three, and
/// growing doesn't hash the ids again. So appending 100 rows to 100,000 costs no more than appending them to none.
@usableFromInline
struct RowIndex: Sendable {
    /// The hash in the upper half, the page plus one in the lower; 0 is free. Collisions probe linearly.
    private var entries: [UInt64] = []
    private var count = 0

    /// Inserts the rows of a page that aren't in the table.
    ///
    /// `isOnPage` returns whether a page has the id of the row at a position in `hashes`. It's called if hashes match.
    ///
    /// - Returns: For each row, whether it was inserted.
    @usableFromInline
    mutating func insert(_ hashes: [Int], page: Int, isOnPage: (_ position: Int, _ page: Int) -> Bool) -> [Bool] {
        if 2 * (count + hashes.count) > entries.count { grow(for: count + hashes.count) }
        // Each read of a large table misses the cache. Reading all entries at once overlaps the misses.
        let first = hashes.map { entries[home(of: Self.key(of: $0))] }
        return hashes.indices.map { position in
            let key = Self.key(of: hashes[position])
            var place = home(of: key)
            // An earlier row may have taken a free place since.
            var entry = first[position] == 0 ? entries[place] : first[position]
            while entry != 0 {
                if Self.key(in: entry) == key, isOnPage(position, Self.page(in: entry)) { return false }
                place = next(place)
                entry = entries[place]
            }
            entries[place] = key << 32 | UInt64(page + 1)
            count += 1
            return true
        }
    }

    /// Returns the page of a row; `nil` if the row isn't in the table.
    @usableFromInline
    func page(_ hash: Int, isOnPage: (Int) -> Bool) -> Int? {
        place(hash, isOnPage: isOnPage).map { Self.page(in: entries[$0]) }
    }

    /// Removes a row. Call it while the row is still on its page.
    @usableFromInline
    mutating func remove(_ hash: Int, isOnPage: (Int) -> Bool) {
        guard var free = place(hash, isOnPage: isOnPage) else { return }
        count -= 1
        // Entries after the freed place move up, so that no search ends too early.
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
            if Self.key(in: entries[place]) == key, isOnPage(Self.page(in: entries[place])) { return place }
            place = next(place)
        }
        return nil
    }

    /// The number of entries is a power of two. The mask uses the lower bits only, which a 32-bit `Int` holds too.
    private func home(of key: UInt64) -> Int { Int(truncatingIfNeeded: key) & (entries.count - 1) }
    private func next(_ place: Int) -> Int { (place + 1) & (entries.count - 1) }

    private static func key(of hash: Int) -> UInt64 { UInt64(UInt32(truncatingIfNeeded: hash)) }
    private static func key(in entry: UInt64) -> UInt64 { entry >> 32 }
    private static func page(in entry: UInt64) -> Int { Int(truncatingIfNeeded: entry & 0xFFFF_FFFF) - 1 }
}
