import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import Hummingbird
import Synchronization

/// The site: what its visitors share, and the visitors.
final class Site: Sendable {
    /// What is known once the site's address is.
    struct Services: Sendable {
        let origin: URL
        /// The container whose services all visitors share.
        let container: Container
        let gitHub: OfflineGitHub?
    }

    let configuration: SiteConfiguration
    let visitors: Registry<String, Visitor>
    let visitorCookie: VisitorCookie
    let formTokens: FormTokens
    let images: ImageAddresses
    let streams = OpenStreams()
    /// Distinguishes what only this process has.
    let processName = RandomID.make()
    private let started = Mutex<Services?>(nil)

    init(_ configuration: SiteConfiguration = SiteConfiguration()) {
        self.configuration = configuration
        visitorCookie = VisitorCookie(signer: configuration.signer)
        formTokens = FormTokens(signer: configuration.signer)
        images = ImageAddresses(signer: configuration.signer, hosts: configuration.imageHosts)
        visitors = Registry(countLimit: configuration.limits.visitors, tickLimit: configuration.limits.visitorTicks)
    }

    /// Sets the address where the site listens, once its port is known; call it before the first request.
    func start(at address: URL) {
        let origin = configuration.publicURL ?? address
        let services =
            switch configuration.source {
            case .fixtures(let services):
                Services(
                    origin: origin,
                    container: .offline(
                        services,
                        configuration: .fixtures(at: origin, clock: configuration.clock).inUTC
                    ),
                    gitHub: services.gitHub
                )
            case .live(let configuration):
                Services(origin: origin, container: .live(configuration.inUTC), gitHub: nil)
            }
        started.withLock { $0 = services }
    }

    var cookies: SiteCookies { SiteCookies(origin: services.origin) }

    /// Returns the cookie that identifies a visitor from now on.
    func cookie(of id: VisitorID) -> Cookie {
        cookies.setting(.visitor, to: visitorCookie.value(of: id), for: Int(visitorCookie.lifetime))
    }

    var services: Services {
        guard let services = started.withLock(\.self) else { preconditionFailure("Call start(at:) first") }
        return services
    }
}

extension Configuration {
    /// The settings of a site on fixtures; it is its own authorization server.
    static func fixtures(at origin: URL, clock: any Clock<Duration>) -> Configuration {
        Configuration().with {
            $0.clock = clock
            $0.gitHub.webURL = origin
            $0.gitHub.app = OAuthApp.gitHub(clientID: "fixtures", redirect: origin.appending(path: "sign-in/callback"))
        }
    }
}

extension Container {
    /// Creates a container for the real services whose images follow no redirects.
    ///
    /// Redirects could lead to hosts that aren't listed, such as those of the server's own network.
    static func live(_ configuration: Configuration) -> Container {
        Container(configuration.with { $0.imageLimits.request.redirects = 0 })
    }
}
