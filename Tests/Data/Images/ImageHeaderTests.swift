import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

@testable import BrowseData

@Suite(.bounded) struct `An image header` {
    @Test func `is tested with each format, and with odd files`() {
        #expect(Set(ImageSample.all.map(\.format)) == Set(ImageFormat.allCases))
        #expect(ImageSample.all.count >= 50 && ImageSample.huge.count >= 8 && ImageSample.others.count >= 7)
    }

    @Test(arguments: ImageSample.all + ImageSample.huge)
    func `contains the format and the size as displayed`(_ sample: ImageSample) throws {
        let image = try #require(EncodedImage(file: sample.data))
        #expect(image.format == sample.format)
        #expect(image.size == sample.size)
    }

    @Test(arguments: ImageSample.all)
    func `has the same format wherever the file is cut`(_ sample: ImageSample) {
        for count in 0..<sample.data.count {
            guard let image = EncodedImage(file: sample.data.prefix(count)) else { continue }
            #expect(image.format == sample.format, "\(count) bytes")
        }
    }

    @Test(arguments: ImageSample.all)
    func `is read from a slice of other data`(_ sample: ImageSample) {
        let slice = (Data("before".utf8) + sample.data).dropFirst(6)
        #expect(EncodedImage(file: slice)?.size == sample.size)
    }

    @Test(arguments: ImageSample.all)
    func `is parsed safely with changed and random bytes`(_ sample: ImageSample) {
        var random = SeededGenerator(seed: 17)
        for round in 0..<400 {
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
            if let size = EncodedImage(file: data)?.size { #expect(size.width > 0 && size.height > 0) }
        }
    }

    @Test(arguments: ImageSample.others)
    func `is nil for other files`(_ sample: ImageSample) {
        #expect(EncodedImage(file: sample.data) == nil)
    }

    @Test func `of a JPEG describes the image, not its thumbnail`() throws {
        let small = try ImageSample.named("jpeg.jpg")
        let large = try ImageSample.named("jpeg-orientation-6.jpg")
        let length = small.data.count + 2
        // An APP2 segment with a complete thumbnail, after fill bytes.
        let segment = Data([0xFF, 0xFF, 0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 255)]) + small.data
        let data = large.data.prefix(2) + segment + large.data.dropFirst(2)
        #expect(EncodedImage(file: data)?.size == large.size)
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
        func file(_ boxes: Data...) -> Data {
            let properties = box("iprp", box("ipco", boxes.reduce(Data(), +)))
            return box("ftyp", Data("mif1\0\0\0\0heic".utf8)) + box("meta", Data(repeating: 0, count: 4) + properties)
        }
        #expect(EncodedImage(file: file(size(1, 1), size(255, 255), size(0, 9)))?.size?.width == 0xFFFF_FFFF)
        #expect(EncodedImage(file: file(size(0, 0)))?.format == .heic)
        #expect(EncodedImage(file: file(size(0, 1)))?.size == nil)
        let turned = EncodedImage(file: file(size(2, 1), box("irot", Data([3]))))
        #expect(turned?.size == PixelSize(width: 0x0101_0101, height: 0x0202_0202))
        let upsideDown = EncodedImage(file: file(size(2, 1), box("irot", Data([2]))))
        #expect(upsideDown?.size?.width == 0x0202_0202)
    }

    @Test func `of a drawn image is correct for each size`() {
        for side in [0, 5, 17, 64, 250, 1000] {
            let image = EncodedImage(file: DrawnImage.png(for: "mona", side: side))
            let drawn = min(max(side, 5), 250)
            #expect(image?.format == .png)
            #expect(image?.size == PixelSize(width: drawn, height: drawn))
        }
        #expect(DrawnImage.png(for: "mona") == DrawnImage.png(for: "mona"))
        #expect(DrawnImage.png(for: "mona") != DrawnImage.png(for: "lisa"))
    }
}
