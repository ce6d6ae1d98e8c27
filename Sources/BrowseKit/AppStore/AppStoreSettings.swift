import BrowseAppStoreData
@_exported public import BrowseAppStoreDomain
@_exported public import BrowseAppStorePresentation
@_exported public import BrowseCore
public import BrowseData
public import BrowsePresentation
import Foundation

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
    /// The country, which is sent as it is.
    ///
    /// `nil` uses the region of `Configuration.locale`, or the United States if it has no store.
    public var country: AppStore.Country?
    /// The language of responses; `nil` uses the country's default.
    public var language: AppStore.Language?

    /// The platform of search results; see `AppStore.Storefront`.
    public var platform: AppStore.App.Platform = .iOS

    /// Creates the settings of the public service.
    public init() {}

    /// Returns the lookup service.
    public func service(in configuration: Configuration) -> HTTPClient.Service {
        .appStore(baseURL: url, userAgent: configuration.userAgent)
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
        // A region can be a continent, the world (`en_001`), or a country without a store.
        let own = locale.region.flatMap { AppStore.Country.serving($0.identifier) }
        let country = appStore.country ?? own ?? .unitedStates
        return AppStore.Storefront(country: country, language: appStore.language, platform: appStore.platform)
    }
}
