public import BrowseDomain

/// The options that view models share.
public struct ScreenOptions: Sendable {
    /// The texts and formats, in the person's language.
    public var texts: Texts
    /// When cached data may be shown.
    public var policy: LoadPolicy = .fresh
    /// The distance from the end at which a visible row loads the next page, in rows; 0 or more.
    public var prefetchDistance: Int = 10
    /// The maximum number of pages in flight when all pages of a list are loaded, 1 to 100.
    public var pageConcurrency: Int = 4
    /// Measures the pause after which typed text is searched for.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// The repository of favorites; `nil` marks none.
    ///
    /// Controllers mark each row that is a ``FavoriteRow``, and each entity that is `Favoritable`.
    public var favorites: (any FavoriteRepository)?

    /// Creates options, and sets their other values with a closure.
    public init(texts: Texts, _ fill: (inout Self) -> Void = { _ in }) {
        self.texts = texts
        fill(&self)
    }

    /// Returns the same options, for a screen on which the person typed what is requested.
    ///
    /// Messages about it then ask the person to check the input; on other screens, there is nothing
    /// to change.
    public func withInput() -> ScreenOptions { modified(self) { $0.texts = texts.withInput() } }

    /// Returns the same options, with messages that name a service.
    public func about(_ service: Texts.Service) -> ScreenOptions { modified(self) { $0.texts = texts.about(service) } }
}
