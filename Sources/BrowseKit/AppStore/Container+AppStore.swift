import BrowseAppStoreData
@_exported public import BrowseAppStoreDomain
@_exported public import BrowseAppStorePresentation
@_exported public import BrowseCore
public import BrowseData
import BrowseDomain
public import BrowsePresentation
import Foundation

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

/// The settings of the App Store.
public struct AppStoreSettings: ServiceSettings {
    /// The service's name in problems of a configuration.
    public static let name = "App Store"
    /// The kind of favorites for apps.
    public static var favoriteKinds: [FavoriteKind] { FavoriteKind.appStore }

    // The string is a constant, and valid.
    // swift-format-ignore: NeverForceUnwrap
    /// The URL of the lookup service.
    public var url: URL = URL(string: "https://itunes.apple.com")!
    /// The country; `nil` uses the region of `Configuration.locale`, or the United States.
    public var country: AppStore.Country?
    /// The language of responses; `nil` uses the country's default.
    public var language: AppStore.Language?

    /// The platform of search results; see `AppStore.Storefront`.
    public var platform: AppStore.App.Platform = .iOS

    /// Creates the settings of the public service.
    public init() {}

    /// Returns the lookup service.
    public func service(in configuration: Configuration) -> HTTPClient.Service {
        .appStore(baseURL: url, userAgent: configuration.userAgent, now: configuration.now)
    }
}

extension Configuration {
    /// The settings of the App Store.
    public var appStore: AppStoreSettings {
        get { self[AppStoreSettings.self] }
        set { self[AppStoreSettings.self] = newValue }
    }

    /// The country and language of the App Store.
    public var storefront: AppStore.Storefront {
        // A region can be a continent or the world (`en_001`), which has no store.
        let own = locale.region.flatMap { try? AppStore.Country($0.identifier) }
        let country = appStore.country ?? own ?? .unitedStates
        return AppStore.Storefront(country: country, language: appStore.language, platform: appStore.platform)
    }
}
