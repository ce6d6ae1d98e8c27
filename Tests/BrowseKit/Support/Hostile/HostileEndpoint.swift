import BrowseAppStoreDomain
import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseKit
import Foundation
import Synchronization

/// A call that decodes a response of a service.
struct HostileEndpoint: Sendable, CustomStringConvertible {
    let description: String
    let envelope: HostileBody.Envelope
    /// Whether the response is a list, whose unreadable rows are skipped.
    let skipsRows: Bool
    /// Returns the rows of a list, or one value; the unreadable rows are those of the list.
    let call: @Sendable (Container) async throws -> (rows: Int, skipped: SkippedRows)

    static let all = lists + values

    private init(
        _ description: String,
        _ envelope: HostileBody.Envelope,
        skipsRows: Bool,
        call: @escaping @Sendable (Container) async throws -> (rows: Int, skipped: SkippedRows)
    ) {
        self.description = description
        self.envelope = envelope
        self.skipsRows = skipsRows
        self.call = call
    }

    private static func list<Row>(
        _ description: String,
        _ envelope: HostileBody.Envelope,
        page: @escaping @Sendable (Container) async throws -> Page<Row>
    ) -> HostileEndpoint {
        HostileEndpoint(description, envelope, skipsRows: true) { container in
            let page = try await page(container)
            return (page.items.count, page.skipped)
        }
    }

    private static func value(
        _ description: String,
        _ envelope: HostileBody.Envelope,
        call: @escaping @Sendable (Container) async throws -> some Any
    ) -> HostileEndpoint {
        HostileEndpoint(description, envelope, skipsRows: false) { container in
            _ = try await call(container)
            return (1, SkippedRows())
        }
    }

    private static let lists = [
        list("followers", .gitHubList) { container in
            try await container.followerRepository().page(of: .followers(of: GitHub.Login("a")), at: nil)
        },
        list("repositories", .gitHubList) { container in
            try await container.repoRepository().page(of: .publicRepos(of: GitHub.Login("a")), at: nil)
        },
        list("starred repositories", .gitHubList) { container in
            let found = Mutex<Page<GitHub.Repo.ID>?>(nil)
            try await container.starRepository().starred { page in found.withLock { $0 = page } }
            return found.withLock { $0 } ?? Page(items: [], next: nil)
        },
        list("search for users", .gitHubSearch) { container in
            try await container.userRepository().search(for: GitHub.SearchText("tea"), at: nil)
        },
        list("search for repositories", .gitHubSearch) { container in
            try await container.repoRepository().search(GitHub.RepoSearch(text: GitHub.SearchText("tea")), at: nil)
        },
        list("characters", .rickAndMortyPage) { container in
            try await container.characterRepository().page(of: .init(), at: nil)
        },
        list("episodes", .rickAndMortyPage) { container in
            try await container.episodeRepository().page(of: .init(), at: nil)
        },
        list("locations", .rickAndMortyPage) { container in
            try await container.locationRepository().page(of: .init(), at: nil)
        },
        list("characters by ID", .rickAndMortyList) { container in
            try await container.characterRepository().entities([.init(rawValue: 1), .init(rawValue: 2)])
        },
        list("search for apps", .appStore) { container in
            try await container.appRepository().search(for: AppStore.SearchTerm("tea"), in: .init(), limit: 200)
        },
    ]

    private static let values = [
        value("profile", .gitHub) { container in
            try await container.userRepository().profile(of: GitHub.Login("a"))
        },
        value("repository", .gitHub) { container in
            try await container.repoRepository().details(named: "a", of: GitHub.Login("a"))
        },
        value("rate limits", .gitHub) { container in
            try await container.gitHubRateLimits().refresh()
        },
        value("device code", .gitHub) { container in
            try await container.gitHubAuthorizationRepository().deviceCode()
        },
        value("character", .rickAndMorty) { container in
            try await container.characterRepository().entity(.init(rawValue: 1))
        },
        value("app", .appStore) { container in
            try await container.appRepository().lookUp(.id(AppStore.AppID(1)), in: .init())
        },
    ]

    /// Calls a new container, whose server sends a body with a status, and returns the result.
    func result(of body: Data, status: Int = 200) async -> Result<(rows: Int, skipped: SkippedRows), any Error> {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "hostile-\(UUID().uuidString)",
            directoryHint: .isDirectory
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = Configuration()
        configuration.cacheFolder = folder
        configuration.gitHub.app = OAuthApp.gitHub(clientID: "client")
        configuration.gitHub.token = try? AccessToken("token")
        let container = Container(configuration)
        container.transport.override { _ in
            StubTransport { request throws(BrowseError) in
                var headers: HTTPHeaders = ["Content-Type": "application/json", "ETag": "\"1\""]
                headers["X-GitHub-Media-Type"] = "github.v3"
                return HTTPClient.Response(status: status, headers: headers, body: body, url: request.url)
            }
        }
        do {
            return .success(try await call(container))
        } catch {
            return .failure(error)
        }
    }
}
