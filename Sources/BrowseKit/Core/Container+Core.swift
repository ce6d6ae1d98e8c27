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
