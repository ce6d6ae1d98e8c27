public import BrowseKit
import Foundation

/// Checks that every slot of a container resolves, including an app's own.
///
/// ```swift
/// let slots = ContainerSlots(own: ["greeter": { $0.greeter() }])
/// #expect(slots.unresolved(in: Container.offline()) == [])
/// let unlisted = try slots.unlisted(in: sources)
/// #expect(unlisted == [])
/// ```
@MainActor
public struct ContainerSlots {
    /// Resolves a slot.
    public typealias Resolver = @MainActor (Container) -> Any

    private let slots: [String: Resolver]

    /// Creates a check of BrowseKit's slots and an app's own.
    ///
    /// - Parameter own: The app's slots, by the names of their properties.
    public init(own: [String: Resolver] = [:]) {
        slots = Self.browseKit.merging(own) { $1 }
    }

    /// Resolves every slot; a factory that leads back to itself stops the program with the chain by name.
    ///
    /// - Returns: The names of the slots whose values are `nil`.
    public func unresolved(in container: Container) -> [String] {
        slots.filter { Mirror(reflecting: $0.value(container)).displayStyle == .optional }.keys.sorted()
    }

    /// Finds slots that are declared in the Swift files of a folder, and aren't checked.
    ///
    /// - Returns: The names of their properties.
    public func unlisted(in folder: URL) throws -> [String] {
        let names = FileManager.default.enumerator(atPath: folder.path(percentEncoded: false))
        var declared: Set<String> = []
        for case let name as String in names ?? .init() where name.hasSuffix(".swift") {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            for line in text.split(separator: "\n") where !line.contains("///") {
                for match in line.matches(of: /var (\w+): (?:MainActor)?Dependency</) {
                    declared.insert(String(match.output.1))
                }
            }
        }
        return declared.subtracting(slots.keys).sorted()
    }

    private static let browseKit: [String: Resolver] = [
        "transport": { $0.transport() },
        "responseCache": { $0.responseCache() },
        "distributedStores": { $0.distributedStores() },
        "secretRedactor": { $0.secretRedactor() },
        "observers": { $0.observers() },
        "gitHubGate": { $0.gitHubGate() },
        "gitHubRateLimits": { $0.gitHubRateLimits() },
        "texts": { $0.texts() },
        "screenOptions": { $0.screenOptions() },
        "gitHubClient": { $0.gitHubClient() },
        "gitHubMiddleware": { $0.gitHubMiddleware() },
        "favoriteRepository": { $0.favoriteRepository() },
        "favoriteListViewModel": { $0.favoriteListViewModel() },
        "gitHubSession": { $0.gitHubSession() },
        "gitHubTokenStore": { $0.gitHubTokenStore() },
        "gitHubTokenRepository": { $0.gitHubTokenRepository() },
        "gitHubAuthorizationRepository": { $0.gitHubAuthorizationRepository() },
        "starRepository": { $0.starRepository() },
        "gitHubSignInViewModel": { $0.gitHubSignInViewModel() },
        "gitHubAccountViewModel": { $0.gitHubAccountViewModel() },
        "userRepository": { $0.userRepository() },
        "repoRepository": { $0.repoRepository() },
        "searchUsers": { $0.searchUsers() },
        "searchRepos": { $0.searchRepos() },
        "followerRepository": { $0.followerRepository() },
        "followerSearchViewModel": { $0.followerSearchViewModel() },
        "followerListViewModel": { $0.followerListViewModel() },
        "userProfileViewModel": { $0.userProfileViewModel() },
        "userSearchViewModel": { $0.userSearchViewModel() },
        "repoSearchViewModel": { $0.repoSearchViewModel() },
        "repoListViewModel": { $0.repoListViewModel() },
        "rickAndMortyClient": { $0.rickAndMortyClient() },
        "characterRepository": { $0.characterRepository() },
        "episodeRepository": { $0.episodeRepository() },
        "locationRepository": { $0.locationRepository() },
        "characterListViewModel": { $0.characterListViewModel() },
        "episodeListViewModel": { $0.episodeListViewModel() },
        "locationListViewModel": { $0.locationListViewModel() },
        "characterDetailViewModel": { $0.characterDetailViewModel() },
        "episodeDetailViewModel": { $0.episodeDetailViewModel() },
        "locationDetailViewModel": { $0.locationDetailViewModel() },
        "appStoreClient": { $0.appStoreClient() },
        "appRepository": { $0.appRepository() },
        "appSearchViewModel": { $0.appSearchViewModel() },
        "appDetailViewModel": { $0.appDetailViewModel() },
        "screenshotGalleryViewModel": { $0.screenshotGalleryViewModel() },
        "imageRepository": { $0.imageRepository() },
        "remoteImageViewModel": { $0.remoteImageViewModel() },
        "imagePrefetcher": { $0.imagePrefetcher() },
    ]
}
