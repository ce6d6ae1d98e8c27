import ArgumentParser
import BrowseKit

/// `browse image URL`
struct ImageCommand: ScreenCommand {
    static let configuration: CommandConfiguration = .command(
        "image",
        "Show an image and its format.",
        "Drawing it needs ImageMagick and a terminal with colors."
    )

    @Argument(help: ArgumentHelp("The URL of the image.", valueName: "url"))
    var address: String
    @Option(help: ArgumentHelp("The size of a GitHub avatar in pixels.", valueName: "pixels"))
    var side: Int?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard side.map({ $0 > 0 }) ?? true else { throw ValidationError("--side requires a number above 0.") }
    }

    @MainActor
    func show(in session: Session) async throws(Sink.Failure) -> Outcome {
        let model = session.container.remoteImageViewModel()
        await model.show(ImageRequest(WebAddress(rawValue: address), side: side))
        switch model.state {
        case .loaded(let image):
            if session.showsImages {
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
            fields: ["format", "width", "height", "bytes"].map { Fact($0, $0, fields[$0] ?? "") },
            json: .object([
                "address": .text(address), "format": .text(image.format.rawValue), "width": JSON(image.size?.width),
                "height": JSON(image.size?.height), "bytes": JSON(image.data.count),
            ])
        )
    }
}
