public import BrowseKit
public import BrowseMocks
import Foundation
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
    /// Where the site stores data.
    public var stores: SiteStores
    /// The limits of the site.
    public var limits: SiteLimits
    /// Signs cookies and addresses.
    public var signer: Signer
    /// Measures lifetimes and waits.
    public var clock: any Clock<Duration>
    /// The address of the site in browsers, without a path; `nil` is where it listens.
    public var publicURL: URL?
    /// The names of the site without ports; requests for others are refused. Pages lead to the one of the public URL.
    public var hosts: Set<String> = ["127.0.0.1", "localhost", "[::1]"]
    /// The hosts from which images are loaded.
    public var imageHosts: HostList = [
        "avatars.githubusercontent.com", "rickandmortyapi.com", "*.mzstatic.com", "images.example",
    ]

    /// The origins to which the forms for signing in lead.
    var signInOrigins: [String] {
        guard case .live(let configuration) = source else { return [] }
        return [configuration.gitHub.webURL.origin]
    }

    /// Creates settings.
    public init(
        source: Source = .fixtures(OfflineServices()),
        stores: SiteStores = .inMemory,
        limits: SiteLimits = SiteLimits(),
        signer: Signer = Signer(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.source = source
        self.stores = stores
        self.limits = limits
        self.signer = signer
        self.clock = clock
    }
}

/// The limits of the site.
public struct SiteLimits: Sendable {
    /// The most visitors; the one that was away longest is forgotten first.
    public var visitors: Int = 5_000
    /// The most open pages of all visitors; beyond, the visitor with the most loses the oldest.
    public var pages: Int = 5_000
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
    /// The interval of heartbeats in event streams.
    public var heartbeat: Duration = .seconds(15)

    /// Creates the default limits.
    public init() {}
}

extension URL {
    /// The host as in an authority, where an IPv6 address has brackets.
    package var hostInAuthority: String {
        let host = host(percentEncoded: true)?.lowercased() ?? ""
        return host.contains(":") ? "[\(host.filter { !"[]".contains($0) })]" : host
    }

    /// The scheme, the host, and the port, if there is one.
    package var origin: String { "\(scheme ?? "")://\(hostInAuthority)\(port.map { ":\($0)" } ?? "")" }
}
