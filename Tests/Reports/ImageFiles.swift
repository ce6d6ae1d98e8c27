import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

/// Files of images that are made by hand; they can't all be decoded.
enum ImageFile {
    static func png(_ width: UInt32, _ height: UInt32, before chunk: [UInt8] = []) -> Data {
        var data = Data([0x89]) + Data("PNG\r\n\u{1A}\n".utf8)
        data += chunk
        data += [0, 0, 0, 13]
        data += Array("IHDR".utf8)
        for side in [width, height] {
            withUnsafeBytes(of: side.bigEndian) { data.append(contentsOf: $0) }
        }
        data += [8, 6, 0, 0, 0, 0, 0, 0, 0]
        return data
    }

    static let apple: [UInt8] = [0, 0, 0, 4] + Array("CgBI".utf8) + [0x50, 0, 0x20, 2, 0, 0, 0, 0]

    /// A GIF of frames with a place and a size.
    static func gif(_ screen: [UInt8], _ frames: [[UInt8]], end: [UInt8] = [0x3B]) -> Data {
        var data = Data("GIF89a".utf8)
        data += screen
        data += [0, 0, 0]
        for frame in frames {
            data += [0x21, 0xF9, 4, 0, 0, 0, 0, 0, 0x2C]
            data += frame
            data += [0, 2, 2, 0x44, 1, 0]
        }
        data += end
        return data
    }

    static let dot: [UInt8] = [0, 0, 0, 0, 1, 0, 1, 0]
}

@MainActor
@Suite(.bounded)
struct `Reports about the files of images` {
    private func show(_ data: Data) async -> RemoteImageViewModel.State {
        let server = ScriptedServer()
        server.on(.any, response: .body(data, headers: ["Content-Type": "image/gif"]))
        let image = Container.reports(server).remoteImageViewModel()
        await image.show(ImageRequest(WebAddress("https://images.example/a")))
        return image.state
    }

    // zhlynn/zsign#397, nothings/stb#1992, SDWebImage/SDWebImage#855, bitbank2/AnimatedGIF#38, golang/go#38854,
    // libvips/libvips#3134
    @Test(arguments: [
        (ImageFile.png(64, 32, before: ImageFile.apple), PixelSize(width: 64, height: 32)),
        (ImageFile.png(700, 7000), PixelSize(width: 700, height: 7000)),
        (ImageFile.png(100, 30_000), PixelSize(width: 100, height: 30_000)),
        (ImageFile.gif([1, 0, 1, 0], Array(repeating: ImageFile.dot, count: 20_000)), PixelSize(width: 1, height: 1)),
        (
            ImageFile.gif([0, 5, 0xD0, 2], [ImageFile.dot], end: [0x3B] + Array(repeating: 0, count: 4096)),
            PixelSize(width: 1280, height: 720)
        ),
        (
            ImageFile.gif([1, 0, 1, 0], [ImageFile.dot, ImageFile.dot], end: [0, 0x3B]), PixelSize(width: 1, height: 1)
        ),
        (ImageFile.gif([0x3F, 2, 0x20, 3], [ImageFile.dot]).dropLast(5), PixelSize(width: 575, height: 800)),
        (ImageFile.gif([0, 0, 0, 0], [[1, 0, 2, 0, 3, 0, 4, 0]]), PixelSize(width: 4, height: 6)),
    ])
    func `unusual files that browsers show are passed on as they are`(data: Data, size: PixelSize) async {
        let state = await show(data)
        #expect(state == .loaded(EncodedImage(data: data, format: data.first == 0x89 ? .png : .gif, size: size)))
    }

    /// libvips/libvips#2176
    @Test func `a frame that is larger than its screen counts`() async {
        let state = await show(ImageFile.gif([0, 0, 0, 0], [[0xFF, 0x7A, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20]]))
        guard case .failed(let message) = state, case .unusableResponse(.tooManyPixels, _)? = message.error else {
            Issue.record("\(state)")
            return
        }
    }
}
