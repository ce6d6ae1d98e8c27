public import BrowseDomain

/// The options that view models share.
public struct ScreenOptions: Sendable {
    /// The texts and formats, in the person's language.
    public var texts: Texts
    /// When cached data may be shown.
    public var policy: LoadPolicy
    /// The distance from the end at which a visible row loads the next page, in rows; 0 or more.
    public var prefetchDistance: Int
    /// The maximum number of pages in flight when all pages of a list are loaded, 1 to 100.
    public var pageConcurrency: Int
    /// Measures the pause after which typed text is searched for.
    public var clock: any Clock<Duration>

    /// Creates options.
    public init(
        texts: Texts,
        policy: LoadPolicy = .fresh,
        prefetchDistance: Int = 10,
        pageConcurrency: Int = 4,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.texts = texts
        self.policy = policy
        self.prefetchDistance = prefetchDistance
        self.pageConcurrency = pageConcurrency
        self.clock = clock
    }

    /// Returns the same options, for a screen on which the person typed what is requested.
    ///
    /// Messages about it then ask the person to check the input; on other screens, there is nothing to change.
    public func withInput() -> ScreenOptions {
        var options = self
        options.texts = texts.withInput()
        return options
    }

    /// Returns the same options, with messages that name a service.
    public func about(_ service: Texts.Service) -> ScreenOptions {
        var options = self
        options.texts = texts.about(service)
        return options
    }

    /// The same options for a list that is stored on the device.
    public var uncached: ScreenOptions {
        var options = self
        options.policy = .fresh
        return options
    }
}
