import ArgumentParser
import BrowseKit

/// The option for drawing images.
struct ImageOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Draw images on a terminal with colors.",
            discussion: "Needs ImageMagick; otherwise, a description is printed."
        )
    )
    var images: Bool = false

    /// Draws an image above a page if the option is set.
    ///
    /// - Returns: An outcome that ends the run, if only cached content is wanted and the image isn't cached.
    @MainActor
    func draw(_ address: WebAddress?, in session: Session) async throws(Sink.Failure) -> Outcome? {
        guard images, session.showsImages, let address else { return nil }
        let model = session.container.remoteImageViewModel()
        await model.show(ImageRequest(address, side: 128))
        switch model.state {
        case .loaded(let image): try await session.draw(image)
        case .failed(let message):
            if session.isCacheOnly, Outcome(message.kind) == .network { return .network }
            session.printNote("\(message.title): \(message.text)")
        case .idle, .loading: break
        }
        return nil
    }
}

extension Session {
    /// Whether the output can show images.
    var showsImages: Bool { output.isTerminal && output.hasColor && !isJSON }

    /// Draws an image, or describes it.
    func draw(_ image: EncodedImage) async throws(Sink.Failure) {
        guard let pixels = await decoder.decode(image) else {
            return try output.print([Line(image.summary, .dim), Line()])
        }
        // A cell is twice as high as wide, and shows two square pixels.
        let side = min(output.columns(), 32)
        try output.print(pixels.scaled(toFit: side, side).lines(isTrueColor: isTrueColor) + [Line()])
    }
}

extension EncodedImage {
    /// The format, size, and number of bytes.
    var summary: String {
        [format.rawValue.uppercased(), size.map { "\($0.width) × \($0.height)" }, "\(data.count) B"].compactMap(\.self)
            .joined(separator: ", ")
    }
}
