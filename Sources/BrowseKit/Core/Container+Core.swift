public import BrowseData
public import BrowseDomain
public import BrowsePresentation
public import Foundation

extension Container {
    /// The localized strings in the language of the configuration's locale.
    public var texts: Dependency<Texts> {
        dependency(.localized) { container in
            let configuration = container.configuration
            return Texts(
                locale: configuration.locale,
                timeZone: configuration.timeZone,
                now: configuration.now,
                translations: configuration.translations
            )
        }
    }

    /// Returns the options of a screen that shows data of a service, which messages name.
    public func screenOptions(for service: Texts.Service) -> ScreenOptions { screenOptions().about(service) }

    /// The options that view models share, without a service.
    package var screenOptions: Dependency<ScreenOptions> {
        dependency(.localized) { container in
            let configuration = container.configuration
            return ScreenOptions(
                texts: container.texts(),
                policy: configuration.loadPolicy,
                prefetchDistance: configuration.prefetchDistance,
                pageConcurrency: configuration.pageConcurrency,
                clock: configuration.clock
            )
        }
    }

    /// The favorites: those of the user, or in a database in the configuration's storage folder.
    public var favoriteRepository: Dependency<any FavoriteRepository> {
        dependency(.singleton) { container in
            if let user = container.user { return user.favorites }
            let folder = container.configuration.storageFolder ?? Configuration.defaultStorageFolder
            return SQLiteFavoriteRepository(folder: folder)
        }
    }

    /// The screen with the favorites.
    public var favoriteListViewModel: MainActorDependency<FavoriteListViewModel> {
        mainActorDependency { container in
            FavoriteListViewModel(
                favorites: container.favoriteRepository(),
                kinds: container.services.flatMap { $0.favoriteKinds },
                options: container.screenOptions()
            )
        }
    }
}

extension Container {
    /// Loads images, and caches them in memory and in a folder.
    ///
    /// Images on this computer may load over http if any service in the configuration has an http URL.
    public var imageRepository: Dependency<any ImageRepository> {
        dependency(.shared) { container in
            let configuration = container.configuration
            return RemoteImageRepository(
                transport: container.transport(),
                folder: configuration.imageFolder,
                limits: configuration.imageLimits,
                sizes: container.services.flatMap { $0.imageSizes },
                userAgent: configuration.userAgent,
                allowsLoopback: configuration.usesPlainHTTP,
                options: container.clientOptions
            )
        }
    }

    /// The view model of one image.
    public var remoteImageViewModel: MainActorDependency<RemoteImageViewModel> {
        mainActorDependency { RemoteImageViewModel(images: $0.imageRepository(), texts: $0.texts()) }
    }

    /// Loads the images of rows before they're visible.
    public var imagePrefetcher: MainActorDependency<ImagePrefetcher> {
        mainActorDependency { ImagePrefetcher(images: $0.imageRepository()) }
    }
}

/// The stores of one user, for ``Container/container(for:locale:timeZone:)``.
public struct UserStores: Sendable {
    /// The favorites of the user.
    public var favorites: any FavoriteRepository
    /// Returns the store of a service's session.
    ///
    /// It can be called more than once for a session; the stores must then have the same contents.
    public var tokens: @Sendable (_ session: SessionName) -> any TokenStore
    /// The folder for anything else that services store: ``Configuration/storageFolder``.
    public var folder: URL

    /// Creates stores of your own, by default with a new temporary folder.
    public init(
        favorites: any FavoriteRepository,
        folder: URL = .temporaryDirectory.appending(
            path: "BrowseKit-\(UUID().uuidString)",
            directoryHint: .isDirectory
        ),
        tokens: @escaping @Sendable (_ session: SessionName) -> any TokenStore
    ) {
        self.favorites = favorites
        self.folder = folder
        self.tokens = tokens
    }

    /// Creates stores in a folder of the user's own, which only its owner can access.
    public init(folder: URL) {
        self.init(favorites: SQLiteFavoriteRepository(folder: folder), folder: folder) { session in
            FileTokenStore(folder: folder, name: session)
        }
    }
}
