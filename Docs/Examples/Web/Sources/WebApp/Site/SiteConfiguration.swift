public import BrowseKit
public import BrowseMocks
public import WebSupport

/// The settings of the site.
public struct SiteConfiguration: Sendable {
    /// Where the site's data comes from.
    public enum Source: Sendable {
        /// The bundled data, without a network. The site also hosts the page on which an account is chosen.
        case fixtures(OfflineServices)
        /// The real services.
        case live(Configuration)
    }

    /// Where the site's data comes from.
    public var source: Source
    /// The limits of the site.
    public var limits: SiteLimits
    /// Signs cookies and addresses.
    public var signer: Signer
    /// Measures lifetimes and waits.
    public var clock: any Clock<Duration>

    /// Creates settings.
    public init(
        source: Source = .fixtures(OfflineServices()),
        limits: SiteLimits = SiteLimits(),
        signer: Signer = Signer(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.source = source
        self.limits = limits
        self.signer = signer
        self.clock = clock
    }
}

/// The limits of the site.
public struct SiteLimits: Sendable {
    /// The most visitors; the one that was away longest is forgotten first.
    public var visitors: Int = 1_000
    /// The most open pages of a visitor.
    public var pagesPerVisitor: Int = 32
    /// The pause between two sweeps, which count time for the limits below.
    public var tick: Duration = .seconds(10)
    /// The ticks without a request after which a visitor is forgotten: 30 minutes.
    public var visitorTicks: Int = 180
    /// The ticks without a stream after which a page's view model is released: a minute.
    public var pageTicks: Int = 6
    /// The longest time that a response waits for a page's content.
    public var loading: Duration = .seconds(5)
    /// The most bytes of a form.
    public var formBytes: Int = 16_384

    /// Creates the default limits.
    public init() {}
}
