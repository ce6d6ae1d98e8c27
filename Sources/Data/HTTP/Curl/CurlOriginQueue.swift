#if canImport(Glibc) && canImport(CBrowseCurl)
/// The hops to one origin: how many are in flight, and a queue of those that wait.
final class CurlLane {
    /// How many hops are in flight.
    var active = 0
    /// The queue; those before `first` have left.
    private var slots: [CurlHop?] = []
    private var first = 0

    /// The hops that wait, in order.
    var waitingHops: [CurlHop] { slots[first...].compactMap(\.self) }

    /// Adds a hop to the end of the queue.
    func append(_ hop: CurlHop) {
        slots.append(hop)
    }

    /// Puts a hop back to the front of the queue.
    func prepend(_ hop: CurlHop) {
        if first > 0 {
            first -= 1
            slots[first] = hop
        } else {
            slots.insert(hop, at: 0)
        }
    }

    /// Removes the hop that has waited the longest.
    func popFirst() -> CurlHop? {
        guard first < slots.count, let hop = slots[first].take() else { return nil }
        first += 1
        // Half of the slots at a time, so that each hop is moved at most once on average.
        if first * 2 >= slots.count {
            slots.removeFirst(first)
            first = 0
        }
        return hop
    }
}
#endif
