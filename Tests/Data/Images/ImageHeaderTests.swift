import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

@Suite(.bounded) struct `An image header` {
    @Test(arguments: ImageSample.all)
    func `contains format and size`(_ sample: ImageSample) throws {
        let header = try ImageHeader(sample.data)
        #expect(header.format == sample.format)
        #expect(header.size == sample.size)
    }

    @Test(arguments: ImageSample.all)
    func `is invalid if the file is truncated anywhere`(_ sample: ImageSample) {
        for count in 0..<sample.data.count {
            #expect(throws: ImageHeader.Problem.self, "\(count) bytes") { try ImageHeader(sample.data.prefix(count)) }
        }
    }

    @Test(arguments: ImageSample.all)
    func `is read from a slice of other data`(_ sample: ImageSample) throws {
        let slice = (Data("before".utf8) + sample.data).dropFirst(6)
        #expect(try ImageHeader(slice).size == sample.size)
    }

    @Test(arguments: ImageSample.all)
    func `is parsed safely with changed and random bytes`(_ sample: ImageSample) {
        var random = SeededGenerator(seed: 17)
        for round in 0..<2000 {
            var data = sample.data
            if round.isMultiple(of: 2) {
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    data[Int.random(in: 0..<data.count, using: &random)] =
                        [0, 1, 0x7F, 0xFF, .random(in: 0...255)]
                        .randomElement(using: &random) ?? 0
                }
            } else {
                let prefixLength = Int.random(in: 0...min(40, data.count), using: &random)
                let noise = (0..<Int.random(in: 0...300, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                data = data.prefix(prefixLength) + noise
            }
            guard let header = try? ImageHeader(data) else { continue }
            if let size = header.size { #expect(size.width > 0 && size.height > 0) }
        }
    }

    @Test(arguments: [
        "", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "<!DOCTYPE html><title>Not here</title>",
        "BM6\0\0\0\0\0\0\0",
        "RIFF\u{10}\0\0\0WAVEfmt \0\0\0\0", "GIF88a\u{1}\0\u{1}\0\0\0\0;", "\0\0\0\u{1C}ftypavif\0\0\0\0avifmif1miaf",
    ])
    func `is nil for other files`(_ text: String) {
        #expect(throws: ImageHeader.Problem.unknownFormat) { try ImageHeader(Data(text.utf8)) }
    }

    @Test func `of a JPEG describes the image, not its thumbnail`() throws {
        let small = try #require(ImageSample.all.first { $0.name == "progressive" }).data
        let large = try #require(ImageSample.all.first { $0.name == "jpeg" })
        let length = small.count + 2
        // An APP1 segment with a complete thumbnail, after fill bytes.
        let segment = Data([0xFF, 0xFF, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)]) + small
        let data = large.data.prefix(2) + segment + large.data.dropFirst(2)
        #expect(try ImageHeader(data).size == large.size)
        // The thumbnail's end marker doesn't end the file.
        #expect(throws: ImageHeader.Problem.cutOff) { try ImageHeader(data.dropLast(2)) }
    }

    @Test func `of a HEIC describes the largest image, whatever its size`() throws {
        func box(_ name: String, _ content: Data) -> Data {
            var length = UInt32(content.count + 8).bigEndian
            return withUnsafeBytes(of: &length) { Data($0) } + Data(name.utf8) + content
        }
        func size(_ width: UInt8, _ height: UInt8) -> Data {
            box(
                "ispe",
                Data(repeating: 0, count: 4) + Data(repeating: width, count: 4) + Data(repeating: height, count: 4)
            )
        }
        func file(_ sizes: Data...) -> Data {
            let properties = box("iprp", box("ipco", sizes.reduce(Data(), +)))
            return box("ftyp", Data("mif1\0\0\0\0heic".utf8)) + box("meta", Data(repeating: 0, count: 4) + properties)
                + box("mdat", Data())
        }
        #expect(try ImageHeader(file(size(1, 1), size(255, 255), size(0, 9))).size?.width == 0xFFFF_FFFF)
        #expect(try ImageHeader(file(size(0, 0))).size == nil)
        #expect(try ImageHeader(file()) == ImageHeader(file(size(0, 1))))
        // A box's size can have 64 bits, or extend to the end of the file.
        let open = file(size(1, 1)).dropLast(8) + Data([0, 0, 0, 0]) + Data("mdat".utf8) + Data([1, 2, 3])
        #expect(try ImageHeader(open).size?.width == 0x0101_0101)
        let long =
            file(size(1, 1)).dropLast(8) + Data([0, 0, 0, 1]) + Data("mdat".utf8) + Data([0, 0, 0, 0, 0, 0, 0, 17, 9])
        #expect(try ImageHeader(long).size?.width == 0x0101_0101)
        #expect(throws: ImageHeader.Problem.cutOff) { try ImageHeader(long.dropLast()) }
    }

    @Test func `of a drawn image is correct for each size`() throws {
        for side in [0, 5, 17, 64, 250, 1000] {
            let header = try ImageHeader(DrawnImage.png(for: "mona", side: side))
            let drawn = min(max(side, 5), 250)
            #expect(header.format == .png)
            #expect(header.size == PixelSize(width: drawn, height: drawn))
        }
        #expect(DrawnImage.png(for: "mona") == DrawnImage.png(for: "mona"))
        #expect(DrawnImage.png(for: "mona") != DrawnImage.png(for: "lisa"))
    }
}
