import BrowseAppStoreMocks
public import BrowseCoreMocks
import BrowseGitHubMocks
import BrowseRickAndMortyMocks

extension ContainerSlots {
    /// The slots of the core and of all services.
    public static let all = gitHub.adding(rickAndMorty).adding(appStore)
}
