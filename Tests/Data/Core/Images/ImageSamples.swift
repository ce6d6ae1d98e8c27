import BrowseDomain
import BrowseMocks
import Foundation
import Testing

/// A file that `Files/make.py` has written; some are cut, padded, or mislabeled.
struct ImageSample: CustomTestStringConvertible {
    private struct Description: Decodable {
        var format: String?
        var width: Int?
        var height: Int?
    }

    let name: String
    /// The format; `nil` if it isn't an image.
    let format: ImageFormat?
    /// The size as displayed.
    let size: PixelSize
    let data: Data

    var testDescription: String { name }

    /// All files; empty if they can't be read, which the tests of images report.
    private static let files: [ImageSample] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Files")
        guard let index = try? Data(contentsOf: folder.appending(path: "files.json")),
            let files = try? JSONDecoder().decode([String: Description].self, from: index)
        else { return [] }
        return files.sorted { $0.key < $1.key }.compactMap { name, file in
            guard let data = try? Data(contentsOf: folder.appending(path: name)) else { return nil }
            return ImageSample(
                name: name,
                format: file.format.flatMap(ImageFormat.init),
                size: PixelSize(width: file.width ?? 0, height: file.height ?? 0),
                data: data
            )
        }
    }()

    /// The images that can be shown.
    static let all = files.filter { $0.format != nil && !huge.map(\.name).contains($0.name) }
    /// The images that announce 60,000 × 60,000 pixels.
    static let huge = files.filter { $0.size == PixelSize(width: 60_000, height: 60_000) }
    /// The files that aren't images.
    static let others = files.filter { $0.format == nil }

    static func named(_ name: String) throws -> ImageSample { try #require(files.first { $0.name == name }) }
}

extension DrawnImage {
    /// Returns an image of about the given size in bytes: a drawn one with a long text chunk.
    static func png(for text: String, bytes: Int) -> Data {
        let picture = png(for: text)
        let padding = max(0, bytes - picture.count - 12)
        let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: padding >> $0) }
        let chunk = length + Array("tEXt".utf8) + [UInt8](repeating: 65, count: padding + 4)
        return picture.dropLast(12) + chunk + picture.suffix(12)
    }
}
