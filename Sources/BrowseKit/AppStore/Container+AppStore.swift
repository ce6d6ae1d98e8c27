import BrowseAppStoreData
@_exported public import BrowseAppStoreDomain
@_exported public import BrowseAppStorePresentation
@_spi(Services) @_exported public import BrowseCore
public import BrowseData
import BrowsePresentation

extension Container {
    /// The client of the App Store's lookup service.
    public var appStoreClient: Dependency<HTTPClient> {
        dependency(.shared) { container in
            container.client(of: container.configuration.appStore.service(in: container.configuration))
        }
    }

    /// Loads apps.
    public var appRepository: Dependency<any AppStore.AppRepository> {
        dependency(.singleton) { RemoteAppRepository(client: $0.appStoreClient()) }
    }
}

@MainActor
extension Container {
    /// The screen that looks up or searches for apps.
    public func appSearchViewModel() -> AppSearchViewModel {
        AppSearchViewModel(repository: appRepository(), storefront: configuration.storefront, options: screenOptions())
    }

    /// The screen with an app's details.
    public func appDetailViewModel() -> AppDetailViewModel {
        AppDetailViewModel(repository: appRepository(), storefront: configuration.storefront, options: screenOptions())
    }
}
