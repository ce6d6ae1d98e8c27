import BrowseData
public import BrowseDomain
public import BrowsePresentation

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
                isOffline: configuration.loadPolicy == .offline,
                observers: container.configuration.observers,
                now: configuration.now,
                clock: configuration.clock
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
