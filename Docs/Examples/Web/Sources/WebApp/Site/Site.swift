import BrowseData
public import BrowseKit
import BrowseMocks
import Foundation
import Synchronization
import WebSupport

/// The site: what its visitors share, and the visitors.
public final class Site: Sendable {
    let configuration: SiteConfiguration
    let templates: Templates
    let visitors: Registry<String, Visitor>
    private let services = Mutex<Container?>(nil)

    /// Reads the templates.
    public init(_ configuration: SiteConfiguration = SiteConfiguration()) async throws {
        self.configuration = configuration
        templates = try await Templates()
        visitors = Registry(countLimit: configuration.limits.visitors, tickLimit: configuration.limits.visitorTicks)
    }

    /// Sets the site's own address, which is known once its port is; call it before the first request.
    public func start(at origin: URL) {
        let container =
            switch configuration.source {
            case .fixtures(let services): Container.offline(services, configuration: .fixtures(at: origin))
            case .live(let configuration): Container(configuration)
            }
        services.withLock { $0 = container }
    }

    /// The container whose services all visitors share.
    var container: Container {
        guard let container = services.withLock(\.self) else { preconditionFailure("Call start(at:) first") }
        return container
    }

    /// Returns the visitor with an id, or adds one.
    func visitor(_ id: String, preferring language: @autoclosure () -> SiteLanguage) -> Visitor {
        visitors.value(for: id) {
            Visitor(
                id: id,
                language: language(),
                containers: VisitorContainers(site: container, stores: .inMemory()),
                limits: configuration.limits
            )
        }
    }
}

extension Configuration {
    /// The settings of a site on fixtures; it is its own authorization server.
    static func fixtures(at origin: URL) -> Configuration {
        Configuration(
            gitHubWebURL: origin,
            gitHubApp: OAuthApp(clientID: "fixtures", redirect: origin.appending(path: "sign-in/callback"))
        )
    }
}
