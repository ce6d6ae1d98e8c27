import BrowseDomain
import BrowseGitHubPresentation
import BrowsePresentation

// The samples in comments about images.

private nonisolated enum ImageSamples {
    static func prefetch(_ address: WebAddress, from images: any ImageRepository) async throws {
        let avatar = ImageRequest(address, side: 80)
        let image = try await LoadOptions(priority: .prefetch).load { () throws(BrowseError) in
            try await images.image(for: avatar)
        }
        print(image.value)
    }
}

@MainActor
private enum PrefetchSamples {
    static func prefetch(for model: FollowerListViewModel, visible: Range<Int>, by prefetcher: ImagePrefetcher) {
        let near = model.state.content.rows.images(around: visible, side: 96)
        prefetcher.prefetch(near)
    }
}

@MainActor
private enum CellSamples {
    static func show(_ address: WebAddress?, isVisible: Bool, in image: RemoteImageViewModel) {
        image.priority = isVisible ? .visible : .prefetch
        image.request = address.map { ImageRequest($0, side: 36) }
    }
}
