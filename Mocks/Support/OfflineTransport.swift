import BrowseData
import BrowseDomain
import BrowseKit
import Foundation

/// Takes each request to the offline service that it is for.
struct OfflineTransport: HTTPTransport {
    /// One service of a container.
    struct Service: Sendable {
        /// Where the container's configuration says that it is.
        let baseURL: URL
        /// Whether the service has something at the request's path; it decides between services at one address.
        let answers: @Sendable (HTTPRequest) -> Bool
        /// What carries requests to it.
        let transport: any HTTPTransport
    }

    let services: [Service]
    /// What carries requests for pictures, which may be anywhere.
    let images: any HTTPTransport

    func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
        if request.headers["Accept"]?.hasPrefix("image/") == true { return try await images.send(request) }
        let candidates = services.filter { request.url.isBelow($0.baseURL) }
        guard let service = candidates.first(where: { $0.answers(request) }) ?? candidates.first else {
            let detail = "No offline service is at \(request.url.host() ?? "this address")."
            throw .unreachable(.other(code: 0, detail: detail), request.info)
        }
        return try await service.transport.send(request)
    }
}

extension URL {
    /// Whether the address is on another's origin, and its path begins with the whole segments of the other's.
    fileprivate func isBelow(_ base: URL) -> Bool {
        scheme?.lowercased() == base.scheme?.lowercased() && host()?.lowercased() == base.host()?.lowercased()
            && port == base.port && path().split(separator: "/").starts(with: base.path().split(separator: "/"))
    }
}

extension OfflineTransport {
    /// Every service of a container, each where its configuration says that it is.
    init(_ gitHub: OfflineGitHub, _ scenario: Scenario, configuration: Configuration) {
        let (clock, now) = (configuration.clock, configuration.now)
        let gitHubTransport = gitHub.transport(clock: clock)
        let rickAndMorty = OfflineRickAndMorty(scenario: scenario, clock: clock, now: now)
        let appStore = OfflineAppStore(scenario: scenario, clock: clock)
        images = OfflineImages(scenario: scenario, clock: clock, now: now).transport(clock: clock)
        services = [
            Service(
                baseURL: configuration.gitHubURL,
                answers: { GitHubRoute($0) != nil },
                transport: gitHubTransport
            ),
            Service(
                baseURL: configuration.gitHubWebURL,
                answers: { GitHubRoute($0) != nil },
                transport: gitHubTransport
            ),
            Service(
                baseURL: configuration.rickAndMortyURL,
                answers: { RickAndMortyRoute($0) != nil },
                transport: rickAndMorty.transport(clock: clock)
            ),
            Service(
                baseURL: configuration.appStoreURL,
                answers: { ["lookup", "search"].contains($0.url.lastPathComponent) },
                transport: appStore.transport(clock: clock)
            ),
        ]
    }
}
