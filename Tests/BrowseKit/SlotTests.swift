import BrowseMocks
import BrowsePresentation
import Foundation
import Testing

@testable import BrowseKit

@MainActor @Suite
struct `The slots of a container` {
    /// Every slot by its property's name. The test below fails when one is missing here.
    private let slots: [String: @MainActor (Container) -> Any] = [
        "transport": { $0.transport() },
        "responseCache": { $0.responseCache() },
        "secretRedactor": { $0.secretRedactor() },
        "observers": { $0.observers() },
        "gitHubGate": { $0.gitHubGate() },
        "rickAndMortyGate": { $0.rickAndMortyGate() },
        "appStoreGate": { $0.appStoreGate() },
        "gitHubBudgets": { $0.gitHubBudgets() },
        "texts": { $0.texts() },
        "gitHubClient": { $0.gitHubClient() },
        "favoriteRepository": { $0.favoriteRepository() },
        "favoriteListViewModel": { $0.favoriteListViewModel() },
        "session": { $0.session() },
        "tokenStore": { $0.tokenStore() },
        "tokenRepository": { $0.tokenRepository() },
        "authorizationRepository": { $0.authorizationRepository() },
        "starRepository": { $0.starRepository() },
        "signInViewModel": { $0.signInViewModel() },
        "accountViewModel": { $0.accountViewModel() },
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
        "lookUpApp": { $0.lookUpApp() },
        "appSearchViewModel": { $0.appSearchViewModel() },
        "appDetailViewModel": { $0.appDetailViewModel() },
        "screenshotGalleryViewModel": { $0.screenshotGalleryViewModel() },
        "imageRepository": { $0.imageRepository() },
        "remoteImageViewModel": { $0.remoteImageViewModel() },
        "imagePrefetcher": { $0.imagePrefetcher() },
    ]

    @Test func `all resolve`() {
        let container = Container()
        for (name, resolve) in slots {
            let value = resolve(container)
            #expect(Mirror(reflecting: value).displayStyle != .optional, "\(name)")
        }
    }

    @Test func `are all in the list of this test`() throws {
        let sources = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/BrowseKit")
        let files = try FileManager.default.contentsOfDirectory(at: sources, includingPropertiesForKeys: nil)
        var declared: Set<String> = []
        for file in files where file.lastPathComponent.hasPrefix("Container+") {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /var (\w+): (?:MainActor)?Dependency</) {
                declared.insert(String(match.output.1))
            }
        }
        #expect(declared == Set(slots.keys))
    }
}
