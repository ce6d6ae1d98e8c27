package import ArgumentParser
import BrowseDomain
import BrowseKit
import BrowsePresentation

/// `browse image URL`
package struct ImageCommand: ScreenCommand {
    package static let configuration: CommandConfiguration = CommandConfiguration(
        commandName: "image",
        abstract: "Shows a picture, and what its file says of it.",
        discussion: "It is drawn on a terminal with colours, by ImageMagick if that is installed. "
            + Browse.seeExitCodes
    )

    @Argument(help: ArgumentHelp("Where the picture is.", valueName: "url"))
    package var address: String
    @Option(help: ArgumentHelp("How large a GitHub avatar is asked for, in pixels.", valueName: "pixels"))
    package var side: Int?
    @OptionGroup package var common: CommonOptions

    package init() {}

    package func validate() throws {
        guard side.map({ $0 > 0 }) ?? true else { throw ValidationError("--side takes a number above 0.") }
    }

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        let model = session.container.remoteImageViewModel()
        await model.show(ImageRequest(WebAddress(rawValue: address), side: side))
        switch model.state {
        case .loaded(let image):
            if session.showsPictures {
                try await session.draw(image)
            } else {
                try session.write(page(of: image), from: nil)
            }
            return session.interruption ?? .success
        case .failed(let message): return session.report(message)
        case .idle, .loading: return session.stoppedEarly
        }
    }

    private func page(of image: EncodedImage) -> DetailPage {
        let size = image.size.map { ["\($0.width)", "\($0.height)"] } ?? ["", ""]
        let fields = [
            "format": image.format.rawValue, "width": size[0], "height": size[1], "bytes": "\(image.data.count)",
        ]
        return DetailPage(
            title: address,
            fields: ["format", "width", "height", "bytes"].map { .init($0, $0, fields[$0] ?? "") },
            json: .object([
                "address": .text(address), "format": .text(image.format.rawValue), "width": JSON(image.size?.width),
                "height": JSON(image.size?.height), "bytes": JSON(image.data.count),
            ])
        )
    }
}
