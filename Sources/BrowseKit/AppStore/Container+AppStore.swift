public import BrowseCore
import BrowseAppStoreData
public import BrowseAppStoreDomain
public import BrowseAppStorePresentation
public import BrowseData
import BrowseDomain
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

    /// The screen that looks up or searches for apps.
    public var appSearchViewModel: MainActorDependency<AppSearchViewModel> {
        mainActorDependency { container in
            AppSearchViewModel(
                repository: container.appRepository(),
                favorites: container.favoriteRepository(),
                storefront: container.configuration.storefront,
                options: container.screenOptions(for: .appStore)
            )
        }
    }

    /// The screen with an app's details.
    public var appDetailViewModel: MainActorDependency<AppDetailViewModel> {
        mainActorDependency { container in
            AppDetailViewModel(
                repository: container.appRepository(),
                favorites: container.favoriteRepository(),
                storefront: container.configuration.storefront,
                options: container.screenOptions(for: .appStore)
            )
        }
    }

    /// The screen with an app's screenshots.
    public var screenshotGalleryViewModel: MainActorDependency<ScreenshotGalleryViewModel> {
        mainActorDependency { container in
            ScreenshotGalleryViewModel(
                repository: container.appRepository(),
                storefront: container.configuration.storefront,
                options: container.screenOptions(for: .appStore)
            )
        }
    }
}
