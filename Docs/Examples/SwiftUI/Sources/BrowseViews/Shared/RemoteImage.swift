import BrowseKit
import Foundation
import ImageIO
import SwiftUI

/// An image from the web, loaded while it is visible.
struct RemoteImage: View {
    /// A decoded image and its source; it's shown only while the view model has this source.
    private struct Decoded {
        let source: EncodedImage
        let image: CGImage
    }

    private let address: WebAddress?
    private let side: Double?
    private let label: String?
    @State private var model: RemoteImageViewModel
    @State private var decoded: Decoded?
    @Environment(\.displayScale) private var displayScale

    /// - Parameters:
    ///   - address: Where the image is; `nil` shows a placeholder.
    ///   - side: The longer side in points; `nil` loads the image in full size, and lets a person try again.
    ///   - label: What VoiceOver says; `nil` for an image beside a text that says what it shows.
    ///   - container: Creates the view model.
    init(address: WebAddress?, side: Double? = nil, label: String? = nil, container: Container) {
        self.address = address
        self.side = side
        self.label = label
        _model = State(initialValue: container.remoteImageViewModel())
    }

    var body: some View {
        ZStack {
            if let decoded, decoded.source == encoded {
                view(of: decoded.image).resizable().scaledToFit()
            } else if case .failed(let message) = model.state, side == nil {
                MessageView(message: message) { _ in await model.retry() }
            } else {
                Rectangle().fill(.quaternary).accessibilityHidden(true)
            }
        }
        .task(id: request) { await model.showIfNeeded(request) }
        .task(id: encoded) {
            guard let encoded, encoded != decoded?.source else { return }
            decoded = await encoded.decoded(side: request?.side).map { Decoded(source: encoded, image: $0) }
        }
    }

    private func view(of image: CGImage) -> Image {
        if let label {
            Image(image, scale: displayScale, label: Text(label))
        } else {
            Image(decorative: image, scale: displayScale)
        }
    }

    private var request: ImageRequest? {
        address.map { ImageRequest($0, side: side.map { Int(($0 * displayScale).rounded(.up)) }) }
    }

    private var encoded: EncodedImage? {
        if case .loaded(let image) = model.state { image } else { nil }
    }
}

extension EncodedImage {
    /// Decodes the image away from the main actor, where SwiftUI would decode it while it draws.
    ///
    /// - Parameter side: The longer side in pixels; larger images are scaled down.
    @concurrent
    fileprivate func decoded(side: Int?) async -> sending CGImage? {
        guard let source = CGImageSourceCreateWithData(data as CFData, nil) else { return nil }
        var options: [CFString: Any] = [
            kCGImageSourceCreateThumbnailFromImageAlways: true,
            kCGImageSourceCreateThumbnailWithTransform: true,
            kCGImageSourceShouldCacheImmediately: true,
        ]
        if let side { options[kCGImageSourceThumbnailMaxPixelSize] = side }
        return CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary)
    }
}
