import BrowseData
import BrowseDomain
import BrowseKit
import Foundation

/// Routes each request to its offline service.
struct OfflineTransport: HTTPTransport {
    /// A service and its base URL.
    private struct Route: Sendable {
        let baseURL: URL
        /// Whether the service has an endpoint for a request; distinguishes services with the same base URL.
        let canAnswer: @Sendable (HTTPRequest) -> Bool
        let transport: any HTTPTransport
    }

    private let routes: [Route]
    /// The transport for images, which can be on any host.
    private let images: any HTTPTransport

    /// Creates a transport with the base URLs and time limits of a configuration.
    init(_ services: OfflineServices, configuration: Configuration) {
        func route(
            _ baseURL: URL,
            _ service: any OfflineService,
            _ canAnswer: @escaping @Sendable (HTTPRequest) -> Bool
        ) -> Route {
            Route(baseURL: baseURL, canAnswer: canAnswer, transport: service.transport(clock: configuration.clock))
        }
        images = services.images.transport(clock: configuration.clock)
        routes = [
            route(configuration.gitHub.url, services.gitHub) { GitHubRoute($0) != nil },
            route(configuration.gitHub.webURL, services.gitHub) { GitHubRoute($0) != nil },
            route(configuration.rickAndMorty.url, services.rickAndMorty) { RickAndMortyRoute($0) != nil },
            route(configuration.appStore.url, services.appStore) {
                ["lookup", "search"].contains($0.url.lastPathComponent)
            },
        ]
    }

    func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
        if request.headers["Accept"]?.hasPrefix("image/") == true { return try await images.send(request) }
        let candidates = routes.filter { request.url.isBelow($0.baseURL) }
        guard let route = candidates.first(where: { $0.canAnswer(request) }) ?? candidates.first else {
            let detail = "No offline service is at \(request.url.host() ?? "this address")."
            throw .unreachable(.other(code: 0, detail: detail), request.info)
        }
        return try await route.transport.send(request)
    }
}

extension URL {
    /// Whether the URL has a base URL's origin, and a path that begins with its segments.
    fileprivate func isBelow(_ base: URL) -> Bool {
        scheme?.lowercased() == base.scheme?.lowercased() && host()?.lowercased() == base.host()?.lowercased()
            && port == base.port && path().split(separator: "/").starts(with: base.path().split(separator: "/"))
    }
}
