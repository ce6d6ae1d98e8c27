import BrowseKit
import Foundation
import ImageIO
import SwiftUI

/// A picture from the web, loaded while it is visible.
struct RemoteImage: View {
    private let address: WebAddress?
    private let side: Double?
    private let label: String?
    @State private var model: RemoteImageViewModel
    @State private var picture: CGImage?
    @Environment(\.displayScale) private var displayScale

    /// - Parameters:
    ///   - address: Where the picture is; `nil` shows a placeholder.
    ///   - side: The longer side in points; `nil` loads the picture in full size, and lets a person try again.
    ///   - label: What VoiceOver says; `nil` for a picture beside a text that says what it shows.
    ///   - container: Creates the view model.
    init(address: WebAddress?, side: Double? = nil, label: String? = nil, container: Container) {
        self.address = address
        self.side = side
        self.label = label
        _model = State(initialValue: container.remoteImageViewModel())
    }

    var body: some View {
        ZStack {
            if let picture {
                image(picture).resizable().scaledToFit()
            } else if case .failed(let message) = model.state, side == nil {
                MessageView(message: message) { _ in await model.retry() }
            } else {
                Rectangle().fill(.quaternary).accessibilityHidden(true)
            }
        }
        .task(id: request) { await model.show(request) }
        .task(id: encoded) {
            // Never the one before.
            picture = nil
            picture = await encoded?.decoded(side: request?.side)
        }
    }

    private func image(_ picture: CGImage) -> Image {
        if let label {
            Image(picture, scale: displayScale, label: Text(label))
        } else {
            Image(decorative: picture, scale: displayScale)
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
