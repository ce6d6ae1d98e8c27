public import BrowseData
public import BrowseDomain
public import BrowsePresentation

extension Container {
    /// The client of the App Store's public lookup.
    public var appStoreClient: Dependency<HTTPClient> {
        dependency(.singleton) { container in
            container.client(of: .appStore(container.configuration), gate: container.appStoreGate())
        }
    }

    /// Where apps come from.
    public var appRepository: Dependency<any AppStore.AppRepository> {
        dependency(.singleton) { RemoteAppRepository(client: $0.appStoreClient()) }
    }

    /// Finds the one app that a person named.
    public var lookUpApp: Dependency<AppStore.LookUpApp> {
        dependency(.unique) { AppStore.LookUpApp(repository: $0.appRepository()) }
    }

    /// The screen where an app is looked up, or apps are searched for.
    public var appSearchViewModel: MainActorDependency<AppSearchViewModel> {
        mainActorDependency { container in
            AppSearchViewModel(
                lookUpApp: container.lookUpApp(),
                repository: container.appRepository(),
                favorites: container.favoriteRepository(),
                storefront: container.configuration.storefront,
                texts: container.texts(),
                policy: container.configuration.loadPolicy
            )
        }
    }

    /// The screen with an app's page.
    public var appDetailViewModel: MainActorDependency<AppDetailViewModel> {
        mainActorDependency { container in
            AppDetailViewModel(
                lookUpApp: container.lookUpApp(),
                favorites: container.favoriteRepository(),
                storefront: container.configuration.storefront,
                texts: container.texts(),
                policy: container.configuration.loadPolicy
            )
        }
    }

    /// The screen with an app's pictures.
    public var screenshotGalleryViewModel: MainActorDependency<ScreenshotGalleryViewModel> {
        mainActorDependency { ScreenshotGalleryViewModel(texts: $0.texts()) }
    }
}
