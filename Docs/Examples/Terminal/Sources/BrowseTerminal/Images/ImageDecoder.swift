package import BrowseDomain
import Foundation
import Synchronization

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
            // A small file may say that it is very large; one that does not say is not tried. What it is in the end, the
            // program has limits for.
            guard let tool = tools.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }),
                let size = image.size, size.width <= 10_000, size.height <= 10_000
            else { return nil }
            return await run(tool, on: image, environment: Self.environment(from: environment))
        }
    }

    /// What the program needs of the environment; it must not see a token, which is a variable too.
    private static func environment(from environment: [String: String]) -> [String: String] {
        environment.filter { ["PATH", "HOME", "TMPDIR"].contains($0.key) }.merging(["LC_ALL": "C"]) { $1 }
    }

    @concurrent
    private static func run(
        _ tool: URL,
        on image: EncodedImage,
        environment: [String: String]
    ) async -> Raster? {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "browse-\(UUID().uuidString).\(image.format.rawValue.lowercased())")
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = tool
        process.environment = environment
        // The first of its pictures, no larger than is drawn; a hostile file gets no more memory and time than this.
        let limits = [("memory", "256MiB"), ("map", "256MiB"), ("disk", "0"), ("time", "20")]
        process.arguments =
            limits.flatMap { ["-limit", $0.0, $0.1] }
            + ["\(file.path)[0]", "-strip", "-thumbnail", "\(side)x\(side)>", "-depth", "8", "ppm:-"]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let running = Mutex<Int32?>(nil)
        return await withTaskCancellationHandler {
            do {
                try image.data.write(to: file)
                try process.run()
                running.withLock { $0 = process.processIdentifier }
                // Cancelled before there was anything to stop.
                if Task.isCancelled { running.withLock { $0.map(Self.stop) } }
                let data = try output.fileHandleForReading.read(upToCount: mostBytes)
                // One that has more to say is told by the closed pipe that nobody listens.
                try output.fileHandleForReading.close()
                process.waitUntilExit()
                running.withLock { $0 = nil }
                return process.terminationStatus == 0 ? data.flatMap { Raster(ppm: $0) } : nil
            } catch {
                return nil
            }
        } onCancel: {
            running.withLock { $0.map(Self.stop) }
        }
    }

    /// Ends the program, which may have been told to ignore every other signal.
    private static func stop(_ process: Int32) {
        kill(process, SIGKILL)
    }

    /// The most pixels of a side.
    private static var side: Int { 64 }
    private static var mostBytes: Int { 3 * side * side + 100 }
}
