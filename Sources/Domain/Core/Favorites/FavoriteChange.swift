/// A change of the favorites.
public enum FavoriteChange: Hashable, Sendable {
    /// A favorite was added after all others; it has a ``Favorite/sequenceNumber``.
    case added(Favorite)
    /// A favorite was removed; if it's in a page with another sequence number, it was added again.
    case removed(Favorite.ID, sequenceNumber: Int64)
    /// The title, image, or entity of a favorite changed, but not its ``Favorite/sequenceNumber``.
    case updated(Favorite)
    /// All favorites, which another process or the recovery of a damaged file may have changed.
    case replaced(Set<Favorite.ID>)
    /// This repository has replaced a damaged file, now or before the stream started.
    case recovered(StorageRecovery)
}
