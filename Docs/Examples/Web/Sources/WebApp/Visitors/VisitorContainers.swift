import BrowseData
import BrowseKit
import Synchronization

/// The containers of one visitor: one for each language, which share everything but texts.
final class VisitorContainers: Sendable {
    private let site: Container
    private let stores: VisitorStores
    private let containers = Mutex<[SiteLanguage: Container]>([:])

    /// Creates containers on the services of the site.
    ///
    /// - Parameters:
    ///   - site: The container whose services all visitors share.
    ///   - stores: What belongs to the visitor.
    init(site: Container, stores: VisitorStores) {
        self.site = site
        self.stores = stores
    }

    /// The container in a language.
    subscript(language: SiteLanguage) -> Container {
        containers.withLock { containers in
            if let container = containers[language] { return container }
            let container = makeContainer(in: language, sharing: containers.values.first)
            containers[language] = container
            return container
        }
    }

    /// Creates a container; the first one of a visitor owns the session.
    private func makeContainer(in language: SiteLanguage, sharing first: Container?) -> Container {
        var configuration = site.configuration
        configuration.locale = language.locale
        let container = Container(configuration)
        container.transport.override { [site] _ in site.transport() }
        container.responseCache.override { [site] _ in site.responseCache() }
        container.imageRepository.override { [site] _ in site.imageRepository() }
        container.rickAndMortyClient.override { [site] _ in site.rickAndMortyClient() }
        container.appStoreClient.override { [site] _ in site.appStoreClient() }
        if let first {
            container.gitHubClient.override { _ in first.gitHubClient() }
            container.tokenRepository.override { _ in first.tokenRepository() }
            container.session.override { _ in first.session() }
        } else {
            container.gitHubMiddleware.override { [site] _ in site.gitHubMiddleware() }
            container.tokenStore.override { [stores] _ in stores.tokens }
        }
        container.favoriteRepository.override { [stores] _ in stores.favorites }
        return container
    }
}
