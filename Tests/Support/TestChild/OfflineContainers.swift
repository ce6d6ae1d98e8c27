import BrowseAppStoreDomain
import BrowseGitHubDomain
#if os(macOS) || os(Linux)
import BrowseDomain
import BrowseKit
import BrowseMocks
import Foundation

/// Counts the descriptors of offline containers that were used and are idle.
struct OfflineContainers {
    @MainActor
    static func run() async throws {
        // Foundation opens some when it's first used.
        var containers = [try await used()]
        let before = try descriptorCount()
        for _ in 0..<200 { containers.append(try await used()) }
        TestChild.write("\(containers.count - 1) containers, \(try descriptorCount() - before) descriptors")
    }

    private static func descriptorCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
    }

    /// Returns a container after using each service, the storage, and the session.
    @MainActor
    private static func used() async throws -> Container {
        let container = Container.offline()
        let login = GitHub.Login("octocat")
        await container.followerListViewModel().show(.followers(of: login))
        await container.characterListViewModel().show()
        _ = try await container.appRepository().lookUp(.id(AppStore.AppID(1_500_000_001)), in: .init())
        let user = try await container.userRepository().profile(of: login).user
        let image = ImageRequest(WebAddress(rawValue: "https://avatars.githubusercontent.com/u/1"), side: 40)
        _ = try await container.imageRepository().image(for: image)
        _ = try await container.favoriteRepository().add(Favorite(user))
        let session = container.gitHubSession()
        await session.start()
        try await session.signIn(with: Credentials(token: try AccessToken("gho_offline_octocat_1")))
        _ = try await container.gitHubRateLimits().refresh()
        return container
    }
}
#endif
