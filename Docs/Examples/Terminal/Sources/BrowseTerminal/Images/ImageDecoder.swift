package import BrowseKit
import Foundation
import Synchronization

/// Decodes images with an installed program, since no Swift package for JPEG builds everywhere.
package struct ImageDecoder: Sendable {
    /// Returns the pixels, or `nil` if the image can't be decoded.
    package var decode: @Sendable (EncodedImage) async -> PixelImage?

    package init(decode: @escaping @Sendable (EncodedImage) async -> PixelImage?) {
        self.decode = decode
    }

    /// Returns a decoder that runs ImageMagick if it's on the path.
    package static func imageMagick(_ environment: [String: String]) -> ImageDecoder {
        ImageDecoder { image in
            let folders = (environment["PATH"] ?? "").split(separator: ":").map { URL(filePath: String($0)) }
            let tools = ["magick", "convert"].flatMap { name in folders.map { $0.appending(path: name) } }
            // A small file can declare a huge size. ImageMagick has its own limits for the actual one.
            guard let tool = tools.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }),
                let size = image.size, size.width <= 10_000, size.height <= 10_000
            else { return nil }
            return await run(tool, on: image, environment: Self.environment(from: environment))
        }
    }

    /// Returns the variables for the program; they must not include a token.
    private static func environment(from environment: [String: String]) -> [String: String] {
        environment.filter { ["PATH", "HOME", "TMPDIR"].contains($0.key) }.merging(["LC_ALL": "C"]) { $1 }
    }

    @concurrent
    private static func run(
        _ tool: URL,
        on image: EncodedImage,
        environment: [String: String]
    ) async -> PixelImage? {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "browse-\(UUID().uuidString).\(image.format.rawValue.lowercased())")
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = tool
        process.environment = environment
        // One of its images, no larger than is drawn; a hostile file gets no more memory and time than this.
        let limits = [("memory", "256MiB"), ("map", "256MiB"), ("disk", "0"), ("time", "20")]
        let main = "\(file.path)[\(index(in: image))]"
        process.arguments =
            limits.flatMap { ["-limit", $0.0, $0.1] }
            + [main, "-auto-orient", "-strip", "-thumbnail", "\(side)x\(side)>", "-depth", "8", "ppm:-"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let running = Mutex<Int32?>(nil)
        return await withTaskCancellationHandler {
            do {
                try image.data.write(to: file)
                try process.run()
                running.withLock { $0 = process.processIdentifier }
                // Canceled before the process identifier was set.
                if Task.isCancelled { running.withLock { $0.map(Self.stop) } }
                let data = try output.fileHandleForReading.read(upToCount: maxBytes)
                // Ends a program that writes more.
                try output.fileHandleForReading.close()
                process.waitUntilExit()
                running.withLock { $0 = nil }
                return process.terminationStatus == 0 ? data.flatMap { PixelImage(ppm: $0) } : nil
            } catch {
                return nil
            }
        } onCancel: {
            running.withLock { $0.map(Self.stop) }
        }
    }

    /// The index of an icon's largest image, or of the first image of another file.
    private static func index(in image: EncodedImage) -> Int {
        guard image.format == .ico else { return 0 }
        let bytes = Array(image.data.prefix(6 + 16 * 255))
        // Entries of 16 bytes begin with the width; 0 is 256 or more. The number of entries is before them.
        let widths = stride(from: 6, to: bytes.count - 15, by: 16).prefix(Int(bytes.dropFirst(4).first ?? 0))
            .map { bytes[$0] == 0 ? 256 : Int(bytes[$0]) }
        return widths.max().flatMap { widths.firstIndex(of: $0) } ?? 0
    }

    /// Kills the program, which may ignore other signals.
    private static func stop(_ process: Int32) {
        kill(process, SIGKILL)
    }

    /// The maximum width and height in pixels.
    private static var side: Int { 64 }
    private static var maxBytes: Int { 3 * side * side + 100 }
}
