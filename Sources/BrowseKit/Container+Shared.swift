import BrowseData
public import BrowseDomain
public import BrowsePresentation

extension Container {
    /// What is said to a person.
    public var texts: Dependency<Texts> {
        dependency(.singleton) { container in
            Texts(locale: container.configuration.locale, timeZone: container.configuration.timeZone)
        }
    }

    /// Where favourites are kept: a database in the configuration's storage folder.
    public var favoriteRepository: Dependency<any FavoriteRepository> {
        dependency(.singleton) { container in
            let folder = container.configuration.storageFolder ?? Configuration.defaultStorageFolder
            return SQLiteFavoriteRepository(folder: folder)
        }
    }

    /// The screen with what is kept.
    public var favoriteListViewModel: MainActorDependency<FavoriteListViewModel> {
        mainActorDependency { container in
            FavoriteListViewModel(
                favorites: container.favoriteRepository(),
                texts: container.texts(),
                prefetchDistance: container.configuration.prefetchDistance
            )
        }
    }
}
