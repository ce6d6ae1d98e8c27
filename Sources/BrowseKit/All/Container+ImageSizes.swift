public import BrowseData

extension Container {
    /// The servers that offer images in several sizes.
    public var imageSizes: Dependency<[ImageSizes]> {
        dependency(.singleton) { _ in [.gitHubAvatars] }
    }
}
