#if canImport(Glibc) && canImport(CBrowseCurl)
/// The queue of an origin's waiting hops, and the number of its hops in flight.
final class CurlOriginQueue {
    var active = 0
    /// The queue; slots before `first` are empty.
    private var slots: [CurlHop?] = []
    private var first = 0

    var waitingHops: [CurlHop] { slots[first...].compactMap(\.self) }

    func append(_ hop: CurlHop) { slots.append(hop) }

    func prepend(_ hop: CurlHop) {
        if first > 0 {
            first -= 1
            slots[first] = hop
        } else {
            slots.insert(hop, at: 0)
        }
    }

    func popFirst() -> CurlHop? {
        guard first < slots.count, let hop = slots[first].take() else { return nil }
        first += 1
        // Removing slots only when half are empty moves each hop at most once on average.
        if first * 2 >= slots.count {
            slots.removeFirst(first)
            first = 0
        }
        return hop
    }
}
#endif
