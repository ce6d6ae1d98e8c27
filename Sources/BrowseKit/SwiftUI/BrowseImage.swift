#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import BrowseCore
import Foundation
import ImageIO
public import SwiftUI

/// An image from the web, loaded while it is visible.
public struct BrowseImage<ImagePlaceholder: View>: View {
    private let address: WebAddress?
    private let side: Double?
    private let label: String?
    private let container: Container
    private let placeholder: (_ failure: Message?, _ retry: @escaping @MainActor () async -> Void) -> ImagePlaceholder

    /// The view model, created when the image appears.
    ///
    /// An initial value would be another view model for each evaluation of a row.
    @State private var model: RemoteImageViewModel?
    @State private var decoded: DecodedImage?
    @Environment(\.displayScale) private var displayScale
    @Environment(\.refreshCount) private var refreshCount

    /// Creates the view, with a view of your own in place of an image that isn't loaded.
    ///
    /// - Parameters:
    ///   - address: The address of the image; `nil` shows the placeholder.
    ///   - side: The longer side in points; `nil` loads the image in full size.
    ///   - label: The text for VoiceOver; `nil` for an image beside a text that says what it shows.
    ///   - container: Creates the view model.
    ///   - placeholder: Creates the view in place of the image, from the message of a failed load
    ///     and a closure that loads again. Until the load has failed, the message is `nil`.
    public init(
        _ address: WebAddress?,
        side: Double? = nil,
        label: String? = nil,
        container: Container,
        @ViewBuilder placeholder:
            @escaping (
                _ failure: Message?, _ retry: @escaping @MainActor () async -> Void
            ) -> ImagePlaceholder
    ) {
        self.address = address
        self.side = side
        self.label = label
        self.container = container
        self.placeholder = placeholder
    }

    /// The image.
    public var body: some View {
        ZStack {
            if let image {
                Image(image, scale: displayScale, label: Text(label ?? ""))
                    .resizable().scaledToFit().accessibilityIgnoresInvertColors().accessibilityHidden(label == nil)
            } else {
                placeholder(failure) { await model?.retry() }
            }
        }
        .task(id: request) { await load() }
        .task(id: loaded) { await decode() }
        .onChange(of: refreshCount) {
            // The same request again loads an image that has failed.
            if failure != nil { model?.request = request }
        }
        // Rows that are off screen keep their state, and images would fill the memory.
        .onDisappear { (model, decoded) = (nil, nil) }
    }

    private var request: ImageRequest? {
        address.map { ImageRequest($0, side: side.map { Int(($0 * displayScale).rounded(.up)) }) }
    }

    private var failure: Message? {
        if case .failed(let message) = model?.state { message } else { nil }
    }

    private var image: CGImage? {
        guard let request else { return nil }
        if decoded?.request != request, let cached = container.decodedImages()[request] { return cached.image }
        // Another size of the image, such as after a change of the text size, until this one is
        // decoded.
        return decoded?.request.address == request.address ? decoded?.image : nil
    }

    private struct Loaded: Equatable {
        let request: ImageRequest
        let image: EncodedImage
    }

    /// The image to decode, which another one can replace while it is visible.
    private var loaded: Loaded? {
        guard let model, let request = model.request, case .loaded(let image) = model.state else { return nil }
        return Loaded(request: request, image: image)
    }

    private func load() async {
        if let request, let cached = container.decodedImages()[request] {
            // The cache may drop it while it's visible, such as when the app enters the background.
            decoded = cached
            // An expired image is confirmed while it's visible, and so is one that is dated in the
            // future, because the clock was set back.
            let lifetime = container.configuration.imageLimits.lifetime / .seconds(1)
            if cached.date <= .now, .now < cached.date + lifetime { return }
        }
        // The request isn't observable, so another one needs another view model.
        let model = if let model, model.request == request { model } else { container.remoteImageViewModel() }
        self.model = model
        await model.showIfNeeded(request)
    }

    private func decode() async {
        guard let model, let loaded else { return }
        if let image = await loaded.image.decoded(side: loaded.request.side) {
            // A stored image that has expired is confirmed when it appears again.
            let isFresh = container.imageRepository().cachedImage(for: loaded.request) != nil
            let decoded = DecodedImage(image, of: loaded.request, date: isFresh ? .now : .distantPast)
            container.decodedImages()[loaded.request] = decoded
            // The task is canceled when the image disappears.
            if !Task.isCancelled { self.decoded = decoded }
        } else if !Task.isCancelled, model.request == loaded.request {
            await model.decodingFailed(of: loaded.image)
        }
    }
}

extension BrowseImage where ImagePlaceholder == BrowseImagePlaceholder {
    /// Creates the view.
    ///
    /// - Parameters:
    ///   - address: The address of the image; `nil` shows a placeholder.
    ///   - side: The longer side in points; `nil` loads the image in full size, and lets a person
    ///     try again.
    ///   - label: The text for VoiceOver; `nil` for an image beside a text that says what it shows.
    ///   - container: Creates the view model.
    public init(_ address: WebAddress?, side: Double? = nil, label: String? = nil, container: Container) {
        self.init(address, side: side, label: label, container: container) { failure, retry in
            BrowseImagePlaceholder(
                failure: failure,
                retry: retry,
                isFullSize: side == nil,
                isLoading: address != nil,
                label: label
            )
        }
    }
}

/// The view in place of an image that isn't loaded: a gray area, with a symbol after a failure.
///
/// One in full size has a spinner, and the message of the failure with its action.
public struct BrowseImagePlaceholder: View {
    let failure: Message?
    let retry: @MainActor () async -> Void
    let isFullSize: Bool
    let isLoading: Bool
    let label: String?

    /// The placeholder.
    public var body: some View {
        if let failure, isFullSize {
            BrowseMessage(failure) { _ in
                await retry()
                return nil
            }
        } else {
            Rectangle().fill(.quaternary)
                .overlay {
                    if failure != nil {
                        Image(systemName: "photo").foregroundStyle(.secondary)
                    } else if isFullSize, isLoading {
                        ProgressView()
                    }
                }
                .accessibilityElement()
                .accessibilityLabel(label ?? "")
                .accessibilityHidden(label == nil)
        }
    }
}

/// An image that can be drawn.
@MainActor
private final class DecodedImage {
    let image: CGImage
    let request: ImageRequest
    let date: Date

    init(_ image: CGImage, of request: ImageRequest, date: Date) {
        self.image = image
        self.request = request
        self.date = date
    }
}

/// The decoded images of a container that were visible last.
///
/// A row that reappears shows its image at once.
@MainActor
private final class DecodedImages {
    // Lazy, because the container creates the cache on any thread.
    private lazy var cache: NSCache<NSString, DecodedImage> = {
        let cache = NSCache<NSString, DecodedImage>()
        cache.totalCostLimit = 32 << 20
        return cache
    }()

    nonisolated init() {}

    subscript(request: ImageRequest) -> DecodedImage? {
        get { cache.object(forKey: Self.key(of: request)) }
        set {
            guard let newValue else { return cache.removeObject(forKey: Self.key(of: request)) }
            let image = newValue.image
            cache.setObject(newValue, forKey: Self.key(of: request), cost: image.bytesPerRow * image.height)
        }
    }

    private static func key(of request: ImageRequest) -> NSString {
        "\(request.side ?? 0) \(request.cacheKey ?? request.address.rawValue)" as NSString
    }
}

extension Container {
    /// The decoded images, which are in memory only.
    fileprivate var decodedImages: Dependency<DecodedImages> { dependency(.singleton) { _ in DecodedImages() } }
}

extension EncodedImage {
    /// Decodes the image away from the main actor, where SwiftUI would decode it while it draws.
    ///
    /// - Parameter side: The longer side in pixels; larger images are scaled down, to 4,096
    ///   pixels at most.
    @concurrent
    fileprivate func decoded(side: Int?) async -> sending CGImage? {
        guard let source = CGImageSourceCreateWithData(data as CFData, nil) else { return nil }
        let options: [CFString: Any] = [
            kCGImageSourceCreateThumbnailFromImageAlways: true,
            kCGImageSourceCreateThumbnailWithTransform: true,
            kCGImageSourceShouldCacheImmediately: true,
            kCGImageSourceThumbnailMaxPixelSize: min(side ?? 4_096, 4_096),
        ]
        // The first image of a HEIC file can be another one.
        let main = CGImageSourceGetPrimaryImageIndex(source)
        return CGImageSourceCreateThumbnailAtIndex(source, main, options as CFDictionary)
    }
}
#endif
