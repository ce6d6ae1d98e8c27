package import BrowseDomain
import Foundation

/// Makes pixels of a picture's file, by a program that is installed; no Swift package that decodes JPEG builds everywhere.
package struct PictureDecoder: Sendable {
    /// The picture, or `nil` when it cannot be decoded.
    package var decode: @Sendable (EncodedImage) async -> Raster?

    package init(decode: @escaping @Sendable (EncodedImage) async -> Raster?) {
        self.decode = decode
    }

    /// By ImageMagick, where it is on the path.
    package static func imageMagick(_ environment: [String: String]) -> PictureDecoder {
        PictureDecoder { image in
            let folders = (environment["PATH"] ?? "").split(separator: ":").map { URL(filePath: String($0)) }
            let tools = ["magick", "convert"].flatMap { name in folders.map { $0.appending(path: name) } }
            // A small file may say that it is very large, which costs memory to decode; one that does not say is not tried.
            guard let tool = tools.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }),
                let size = image.size, size.width <= 10_000, size.height <= 10_000
            else { return nil }
            return await run(tool, on: image)
        }
    }

    @concurrent
    private static func run(_ tool: URL, on image: EncodedImage) async -> Raster? {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "browse-\(UUID().uuidString).\(image.format.rawValue.lowercased())")
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = tool
        process.arguments = [file.path, "-strip", "-depth", "8", "ppm:-"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        do {
            try image.data.write(to: file)
            try process.run()
            let data = try output.fileHandleForReading.readToEnd()
            process.waitUntilExit()
            return process.terminationStatus == 0 ? data.flatMap { Raster(ppm: $0) } : nil
        } catch {
            return nil
        }
    }
}
