import BrowseData
public import BrowseDomain
public import BrowsePresentation

extension Container {
    /// Where pictures come from: kept in memory, and in a folder of the configuration's.
    ///
    /// Pictures may come from this computer by http when a service of the configuration is reached by http.
    public var imageRepository: Dependency<any ImageRepository> {
        dependency(.singleton) { container in
            let configuration = container.configuration
            return RemoteImageRepository(
                transport: container.usableTransport,
                folder: configuration.imageFolder,
                limits: configuration.imageLimits,
                userAgent: configuration.userAgent,
                allowsLoopback: configuration.hasPlainService,
                isOffline: configuration.loadPolicy == .offline,
                observers: container.observers(),
                redactor: container.secretRedactor(),
                now: configuration.now
            )
        }
    }

    /// The place for one picture.
    public var remoteImageViewModel: MainActorDependency<RemoteImageViewModel> {
        mainActorDependency { RemoteImageViewModel(images: $0.imageRepository(), texts: $0.texts()) }
    }

    /// Loads the pictures of a list before they are seen.
    public var imagePrefetcher: MainActorDependency<ImagePrefetcher> {
        mainActorDependency { ImagePrefetcher(images: $0.imageRepository()) }
    }
}
