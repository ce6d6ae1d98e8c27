@_spi(Services) import BrowseCore
@_spi(Services) import BrowseData
@_spi(Services) import BrowseDomain
import Foundation

/// Routes each request to its offline service.
struct OfflineTransport: ScriptedTransport {
    /// A service and one of its base URLs.
    private struct Route: Sendable {
        let baseURL: URL
        let service: any OfflineService
        let transport: any HTTPTransport
    }

    private let routes: [Route]
    /// The scope of the test that created it, for requests of other tasks.
    private let scope = TestScope.current
    /// The transport for images, which can be on any host.
    private let images: any HTTPTransport

    /// Creates a transport with the base URLs and time limits of a configuration.
    init(_ services: [any OfflineService], images: OfflineImages, configuration: Configuration) {
        func transport(of server: some OfflineServer) -> any HTTPTransport {
            let transport = server.transport(clock: configuration.clock)
            let own = transport as? any ContainerTransport
            return own?.measured(by: configuration.clock, now: configuration.now) ?? transport
        }
        self.images = transport(of: images)
        routes = services.flatMap { service in
            service.baseURLs(in: configuration).map { url in
                Route(baseURL: url, service: service, transport: transport(of: service))
            }
        }
    }

    func send(_ request: HTTPClient.Request) async throws(BrowseError) -> HTTPClient.Response {
        if request.headers["Accept"]?.hasPrefix("image/") == true { return try await images.send(request) }
        let candidates = routes.filter { request.url.isBelow($0.baseURL) }
        // Services can have the same base URL.
        let route = candidates.first {
            $0.service.script.decides(request) || $0.service.hasEndpoint(for: request)
        }
        guard let route = route ?? candidates.first else {
            let detail = "No offline service is at \(Origin(request.url)?.text ?? "this address")\(request.url.path())."
            let report = "\(detail) The request is \(Script.name(of: request)). \(remedy(for: request))"
            TestScope.reportUnanswered(report, in: scope)
            throw .unreachable(.other(code: 0, detail: detail), request.info)
        }
        return try await route.transport.send(request)
    }

    func didFind(_ fault: ScriptedFault, inResponseTo request: HTTPClient.Request) {
        let route = routes.first { request.url.isBelow($0.baseURL) && $0.service.script.hasReceived(request) }
        (route?.transport as? any ScriptedTransport)?.didFind(fault, inResponseTo: request)
    }

    /// Advice for a request to an address that no service has.
    private func remedy(for request: HTTPClient.Request) -> String {
        guard let near = routes.first(where: { $0.baseURL.host() == request.url.host() }) else {
            let known = routes.map { "\n- \(type(of: $0.service)): \($0.baseURL.absoluteString)" }.joined()
            return """
                Add the service of this address to the services of the container. If one of them has it beside another \
                address, such as for an OAuth server, return both from its baseURLs(in:). \
                \(known.isEmpty ? "The container has no services." : "They have these:\(known)")
                """
        }
        return """
            \(type(of: near.service)) answers requests below \(near.baseURL.absoluteString). For another address, such as \
            that of an OAuth server beside the API, return both from its baseURLs(in:).
            """
    }
}

extension URL {
    /// Whether the URL has a base URL's origin, and a path that begins with its segments.
    fileprivate func isBelow(_ base: URL) -> Bool {
        scheme?.lowercased() == base.scheme?.lowercased() && host()?.lowercased() == base.host()?.lowercased()
            && port == base.port && path().split(separator: "/").starts(with: base.path().split(separator: "/"))
    }
}
