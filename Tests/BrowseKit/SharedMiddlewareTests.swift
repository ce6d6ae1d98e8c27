import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import Foundation
import Testing

@testable import BrowseData

/// A server's containers: one for each visitor, and one whose middleware they share.
@Suite(.timeLimit(.minutes(5)))
struct `Containers that share the middleware of GitHub's client` {
    private let services = OfflineServices(now: { Date(timeIntervalSince1970: 1_700_000_000) })

    private func configuration(as token: AccessToken? = nil, cache: URL? = nil) -> Configuration {
        var configuration = Configuration()
        configuration.cacheFolder = cache
        configuration.gitHub.token = token
        configuration.now = { Date(timeIntervalSince1970: 1_700_000_000) }
        return configuration
    }

    private func visitor(of site: Container, as token: AccessToken? = nil, cache: URL? = nil) -> Container {
        let container = Container.offline(services, configuration: configuration(as: token, cache: cache))
        container.gitHubMiddleware.override { _ in site.gitHubMiddleware() }
        container.responseCache.override { _ in site.responseCache() }
        return container
    }

    private func profile(
        in container: Container,
        _ source: LoadOptions.Source = .network
    ) async throws(BrowseError) -> String {
        try await LoadOptions(source: source).load { () throws(BrowseError) in
            try await container.userRepository().ownProfile().user.login.rawValue
        }
        .value
    }

    @Test
    func `have one rate limit for all signed-out visitors, and one for each account`() async throws {
        let site = Container.offline(services, configuration: configuration())
        let (one, two) = (visitor(of: site), visitor(of: site))
        let signedIn = visitor(of: site, as: try services.gitHub.token(for: GitHub.Login("haneul-kim")))
        let login = GitHub.Login("octocat")
        services.setScenario(.rateLimited(until: Date(timeIntervalSince1970: 1_700_000_600)))
        await #expect(throws: BrowseError.self) { try await one.userRepository().profile(of: login) }
        services.setScenario(.normal)
        // The server would respond, but another visitor has used up the limit.
        await #expect {
            try await two.userRepository().profile(of: login)
        } throws: { error in
            if case .rateLimited? = error as? BrowseError { true } else { false }
        }
        #expect(try await signedIn.userRepository().profile(of: login).user.login == login)
    }

    @Test func `report the rate limits of their own account`() async throws {
        let site = Container.offline(services, configuration: configuration())
        let (one, two) = (visitor(of: site), visitor(of: site))
        let signedIn = visitor(of: site, as: try services.gitHub.token(for: GitHub.Login("haneul-kim")))
        let login = GitHub.Login("octocat")
        func core(_ container: Container) -> Int? {
            container.gitHubRateLimits().statuses.first { $0.bucket == "core" }?.remaining
        }
        _ = try await one.userRepository().profile(of: login)
        let remaining = try #require(core(one))
        // Signed-out visitors have one limit.
        #expect(core(two) == remaining)
        // The offline GitHub counts all accounts together.
        _ = try await signedIn.userRepository().profile(of: login)
        #expect(core(signedIn) == remaining - 1)
        #expect(core(one) == remaining)
        #expect(try await signedIn.gitHubRateLimits().refresh().contains { $0.remaining == remaining - 1 })
        #expect(core(two) == remaining)
        for await statuses in two.gitHubRateLimits().changes where !statuses.isEmpty {
            #expect(statuses == two.gitHubRateLimits().statuses)
            break
        }
    }

    @Test
    func `keep private cached responses apart`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "shared-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let site = Container.offline(services, configuration: configuration(cache: folder))
        // The clock stops the time limit of the cache, which a busy machine would exceed.
        site.responseCache.override { _ in
            ResponseCache(
                folder: folder,
                byteLimit: 1 << 20,
                now: { Date(timeIntervalSince1970: 1_700_000_000) },
                clock: TestClock(),
                lockTimeout: .seconds(60)
            )
        }
        func visitor(_ login: String) throws -> Container {
            self.visitor(of: site, as: try services.gitHub.token(for: GitHub.Login(login)), cache: folder)
        }
        let (octocat, haneul) = (try visitor("octocat"), try visitor("haneul-kim"))
        let signedOut = self.visitor(of: site, cache: folder)
        #expect(try await profile(in: octocat) == "octocat")
        #expect(try await profile(in: octocat, .cacheOnly) == "octocat")
        for other in [haneul, signedOut] {
            await #expect(throws: BrowseError.self) { try await profile(in: other, .cacheOnly) }
        }
        #expect(try await profile(in: haneul) == "haneul-kim")
        #expect(try await profile(in: octocat, .cacheOnly) == "octocat")
    }
}
