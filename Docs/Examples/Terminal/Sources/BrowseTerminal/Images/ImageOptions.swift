package import ArgumentParser
import BrowseDomain
import BrowseKit
import BrowsePresentation

/// Whether pictures are drawn.
package struct PictureOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Draw pictures, on a terminal with colours.",
            discussion: "By ImageMagick, which has to be installed; what it can't draw is told in words."
        )
    )
    package var images: Bool = false

    package init() {}

    /// Draws a picture above a page, if that is wanted.
    ///
    /// - Returns: How the run ends already: with a picture that was not seen before, the page was not either.
    @MainActor
    func draw(_ address: WebAddress?, in session: Session) async throws(Sink.Failure) -> Outcome? {
        guard images, session.showsPictures, let address else { return nil }
        let model = session.container.remoteImageViewModel()
        await model.show(ImageRequest(address, side: 128))
        switch model.state {
        case .loaded(let image): try await session.draw(image)
        case .failed(let message):
            if session.looksAtKept, Outcome(message.kind) == .network { return .network }
            session.note("\(message.title): \(message.text)")
        case .idle, .loading: break
        }
        return nil
    }
}

extension Session {
    /// Whether somebody looks who sees colors.
    var showsPictures: Bool { output.isTerminal && output.hasColor && !isJSON }

    /// Draws a picture, or says in words what it is.
    func draw(_ image: EncodedImage) async throws(Sink.Failure) {
        guard let raster = await decoder.decode(image) else {
            return try output.print([Line(image.words, .dim), Line()])
        }
        // A column is half as wide as a line is high, and half of that is a pixel.
        let side = min(output.columns(), 32)
        try output.print(raster.scaled(toFit: side, side).lines(isTrueColor: isTrueColor) + [Line()])
    }
}

extension EncodedImage {
    /// What the picture is, in words that are the same everywhere.
    var words: String {
        [format.rawValue.uppercased(), size.map { "\($0.width) × \($0.height)" }, "\(data.count) B"].compactMap(\.self)
            .joined(separator: ", ")
    }
}
