/// The urgency of a read, from less to more urgent.
public enum LoadPriority: Hashable, Sendable, Comparable {
    /// Needed later: the next page of a list, or images below the visible rows.
    case prefetch
    /// Needed now by a visible screen.
    case visible
}
