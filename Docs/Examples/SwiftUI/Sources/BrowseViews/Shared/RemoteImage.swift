import BrowseKit
import CoreGraphics
import Foundation
import SwiftUI

/// An image from the web, loaded while it is visible.
struct RemoteImage: View {
    /// Where the image is; `nil` shows a placeholder.
    let address: WebAddress?
    /// The longer side in points; `nil` loads the image in full size, and lets a person try again.
    var side: Double? = nil
    /// What VoiceOver says; `nil` for an image beside a text that says what it shows.
    var label: String? = nil
    let container: Container

    /// The view model, created when the image appears.
    ///
    /// An initial value would be another view model for each evaluation of a row.
    @State private var model: RemoteImageViewModel?
    @State private var decoded: DecodedImage?
    @Environment(\.displayScale) private var displayScale

    var body: some View {
        ZStack {
            if let image {
                view(of: image).resizable().scaledToFit().accessibilityIgnoresInvertColors()
            } else if case .failed(let message) = model?.state {
                if side == nil {
                    MessageView(message: message) { _ in await model?.retry() }
                } else {
                    Rectangle().fill(.quaternary)
                        .overlay { Image(systemName: "photo").foregroundStyle(.secondary) }
                        .accessibilityHidden(true)
                }
            } else {
                Rectangle().fill(.quaternary)
                    .overlay {
                        if side == nil, address != nil { ProgressView() }
                    }
                    .accessibilityElement()
                    .accessibilityLabel(label ?? "")
                    .accessibilityHidden(label == nil)
            }
        }
        .task(id: request) { await load() }
        .task(id: loaded) { await decode() }
        // Rows that are off screen keep their state, and images would fill the memory.
        .onDisappear { (model, decoded) = (nil, nil) }
    }

    private var request: ImageRequest? {
        address.map { ImageRequest($0, side: side.map { Int(($0 * displayScale).rounded(.up)) }) }
    }

    private var image: CGImage? {
        guard let request else { return nil }
        return decoded?.request == request ? decoded?.image : DecodedImage.cached(for: request)?.image
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
        if let request, let cached = DecodedImage.cached(for: request) {
            // The cache may drop it while it's visible, such as when the app enters the background.
            decoded = cached
            return
        }
        // The request isn't observable, so another one needs another view model.
        let model = if let model, model.request == request { model } else { container.remoteImageViewModel() }
        self.model = model
        await model.showIfNeeded(request)
    }

    private func decode() async {
        guard let model, let loaded else { return }
        if let image = await loaded.image.decoded(side: loaded.request.side) {
            let decoded = DecodedImage(image, of: loaded.request)
            decoded.cache()
            // The task is canceled when the image disappears.
            if !Task.isCancelled { self.decoded = decoded }
        } else if !Task.isCancelled, model.request == loaded.request {
            model.decodingFailed()
        }
    }

    private func view(of image: CGImage) -> Image {
        if let label {
            Image(image, scale: displayScale, label: Text(label))
        } else {
            Image(decorative: image, scale: displayScale)
        }
    }
}
