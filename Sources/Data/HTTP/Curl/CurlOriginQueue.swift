#if canImport(Glibc) && canImport(CBrowseCurl)
/// The queue of an origin's waiting hops, and the number of its hops in flight.
final class CurlOriginQueue {
    /// The number of hops in flight.
    var active = 0
    /// The queue; slots before `first` are empty.
    private var slots: [CurlHop?] = []
    private var first = 0

    /// The waiting hops in order.
    var waitingHops: [CurlHop] { slots[first...].compactMap(\.self) }

    /// Adds a hop to the end of the queue.
    func append(_ hop: CurlHop) {
        slots.append(hop)
    }

    /// Adds a hop to the front of the queue.
    func prepend(_ hop: CurlHop) {
        if first > 0 {
            first -= 1
            slots[first] = hop
        } else {
            slots.insert(hop, at: 0)
        }
    }

    /// Removes and returns the first hop of the queue.
    func popFirst() -> CurlHop? {
        guard first < slots.count, let hop = slots[first].take() else { return nil }
        first += 1
        // Half of the slots at a time, so that each hop moves at most once on average.
        if first * 2 >= slots.count {
            slots.removeFirst(first)
            first = 0
        }
        return hop
    }
}
#endif
