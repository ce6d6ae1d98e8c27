import BrowseData
public import BrowseDomain
public import BrowsePresentation

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
    @_spi(Services) public var screenOptions: Dependency<ScreenOptions> {
        dependency(.localized) { container in
            let configuration = container.configuration
            return ScreenOptions(texts: container.texts()) {
                $0.policy = configuration.loadPolicy
                $0.prefetchDistance = configuration.prefetchDistance
                $0.pageConcurrency = configuration.pageConcurrency
                $0.clock = configuration.clock
                $0.favorites = container.favoriteRepository()
            }
        }
    }

    /// The favorites: those of the user, or in a database in the configuration's storage folder.
    public var favoriteRepository: Dependency<any FavoriteRepository> {
        dependency(.singleton) { container in
            if let user = container.user { return user.favorites }
            let folder = container.configuration.storageFolder ?? Configuration.defaultStorageFolder
            return SQLiteFavoriteRepository.shared(in: folder)
        }
    }

    /// Loads images, and caches them in memory and in a folder.
    ///
    /// Images on this computer may load over http if any service in the configuration has an http
    /// URL.
    public var imageRepository: Dependency<any ImageRepository> {
        dependency(.shared) { container in
            let configuration = container.configuration
            let urls = configuration.serviceSettings.map { $0.service(in: configuration).baseURL }
            return RemoteImageRepository(
                transport: container.transport(),
                folder: configuration.imageFolder,
                limits: configuration.imageLimits,
                sizes: container.services.flatMap { $0.imageSizes },
                userAgent: configuration.userAgent,
                allowsLoopback: urls.contains { $0.scheme?.lowercased() == "http" },
                options: container.clientOptions
            )
        }
    }
}

@MainActor
extension Container {
    /// Shows what other processes, such as a widget, have changed.
    ///
    /// Call it whenever the app returns to the foreground. It reads the version of the favorites'
    /// database, and sends no request.
    public func appDidBecomeActive() async { await favoriteRepository().reportExternalChanges() }

    /// The screen with the favorites.
    public func favoriteListViewModel() -> FavoriteListViewModel {
        FavoriteListViewModel(
            favorites: favoriteRepository(),
            kinds: services.flatMap { $0.favoriteKinds } + configuration.favoriteKinds,
            options: screenOptions()
        )
    }

    /// The view model of one image.
    public func remoteImageViewModel() -> RemoteImageViewModel {
        RemoteImageViewModel(images: imageRepository(), texts: texts())
    }

    /// Loads the images of rows before they're visible.
    public func imagePrefetcher() -> ImagePrefetcher {
        ImagePrefetcher(images: imageRepository())
    }
}
