import BrowseKit
import BrowseMocks
import Foundation

struct SiteConfiguration: Sendable {
    /// Where the site's data comes from.
    enum Source: Sendable {
        /// The bundled data, without a network. The site also hosts the page on which an account is chosen.
        case fixtures(OfflineServices)
        /// The real services.
        case live(Configuration)
    }

    var source = Source.fixtures(OfflineServices())
    var stores = SiteStores.inMemory
    var limits = SiteLimits()
    /// Signs cookies and addresses.
    var signer = Signer()
    /// Measures lifetimes and waits.
    var clock: any Clock<Duration> = ContinuousClock()
    /// The address of the site in browsers, without a path; `nil` is where it listens.
    var publicURL: URL?
    /// The address of the project on the web, whose documents the start links to; `nil` links to none.
    var projectURL: URL?
    /// The names of the site without ports; requests for others are refused. Pages lead to the one of the public URL.
    var hosts: Set<String> = ["127.0.0.1", "localhost", "[::1]"]
    /// The hosts from which images are loaded.
    var imageHosts: HostList = [
        "avatars.githubusercontent.com", "rickandmortyapi.com", "*.mzstatic.com", "images.example",
    ]
}

struct SiteLimits: Sendable {
    /// The most visitors; the one that was away longest is forgotten first.
    var visitors = 5_000
    /// The most open pages of all visitors; beyond, the visitor with the most loses the oldest.
    var pages = 5_000
    /// The most open pages of a visitor.
    var pagesPerVisitor = 32
    /// The pause between two sweeps, which count time for the limits below.
    var tick = Duration.seconds(10)
    /// The ticks without a request after which a visitor is forgotten: 30 minutes.
    var visitorTicks = 180
    /// The ticks without a stream after which a page's view model is released: a minute.
    var pageTicks = 6
    /// The longest time that a response waits for a page's content.
    var loading = Duration.seconds(5)
    /// The longest time that a response waits for a picture.
    var picture = Duration.seconds(1)
    /// The most bytes of a form.
    var formBytes = 16_384
    /// The interval of heartbeats in event streams.
    var heartbeat = Duration.seconds(15)
}

extension URL {
    /// The host as in an authority, where an IPv6 address has brackets.
    var hostInAuthority: String {
        let host = host(percentEncoded: true)?.lowercased() ?? ""
        return host.contains(":") ? "[\(host.filter { !"[]".contains($0) })]" : host
    }

    /// The scheme, the host, and the port, if there is one.
    var origin: String { "\(scheme ?? "")://\(hostInAuthority)\(port.map { ":\($0)" } ?? "")" }
}
