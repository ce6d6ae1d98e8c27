import BrowseData
import BrowseDomain
import BrowseMocks
import Foundation
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct `An image header` {
    /// The image that is loaded from a file, which can be incomplete.
    private func image(_ file: Data) async -> EncodedImage? {
        let images = RemoteImageRepository(
            transport: FakeTransport { request, _ throws(BrowseError) in
                HTTPClient.Response(status: 200, body: file, url: request.url)
            },
            folder: nil,
            limits: ImageLimits { ($0.memoryBytes, $0.pixels) = (0, .max) },
            userAgent: "Tests"
        )
        return try? await images.image(for: .example("a"))
    }

    @Test(arguments: ImageSample.all + ImageSample.huge)
    func `contains the format and the size as displayed`(_ sample: ImageSample) async throws {
        let image = try #require(await image(sample.data))
        #expect(image.format == sample.format)
        #expect(image.size == sample.size)
    }

    @Test(arguments: ImageSample.all)
    func `is parsed safely if it's cut, or has changed or random bytes`(_ sample: ImageSample) async {
        var random = SeededGenerator(seed: 17)
        for _ in 0..<40 {
            let count = Int.random(in: 0..<sample.data.count, using: &random)
            if let image = await image(sample.data.prefix(count)) { #expect(image.format == sample.format) }
            var data = sample.data
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                data[Int.random(in: 0..<data.count, using: &random)] =
                    [0, 1, 0x7F, 0xFF, .random(in: 0...255)].randomElement(using: &random) ?? 0
            }
            let noise = (0..<Int.random(in: 0...300, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            for data in [data, sample.data.prefix(min(count, 40)) + noise] {
                if let size = await image(data)?.size { #expect(size.width > 0 && size.height > 0) }
            }
        }
    }

    @Test func `of a JPEG describes the image, not its thumbnail`() async throws {
        let small = try ImageSample.named("jpeg.jpg")
        let large = try ImageSample.named("jpeg-orientation-6.jpg")
        let length = small.data.count + 2
        // An APP2 segment with a complete thumbnail, after fill bytes.
        let segment = Data([0xFF, 0xFF, 0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 255)]) + small.data
        let data = large.data.prefix(2) + segment + large.data.dropFirst(2)
        #expect(await image(data)?.size == large.size)
    }

    @Test func `of a HEIC describes the largest image, whatever its size`() async throws {
        func box(_ name: String, _ content: Data) -> Data {
            var length = UInt32(content.count + 8).bigEndian
            return withUnsafeBytes(of: &length) { Data($0) } + Data(name.utf8) + content
        }
        func size(_ width: UInt8, _ height: UInt8) -> Data {
            let sides = Data(repeating: width, count: 2) + Data(count: 2) + Data(repeating: height, count: 2)
            return box("ispe", Data(count: 6) + sides)
        }
        func file(_ boxes: Data...) -> Data {
            let properties = box("iprp", box("ipco", boxes.reduce(Data(), +)))
            return box("ftyp", Data("mif1\0\0\0\0heic".utf8)) + box("meta", Data(count: 4) + properties)
        }
        #expect(await image(file(size(1, 1), size(9, 8), size(0, 9)))?.size == PixelSize(width: 0x0909, height: 0x0808))
        #expect(await image(file(size(0, 1)))?.format == .heic)
        #expect(await image(file(size(0, 1)))?.size == nil)
        for (rotation, expected) in [
            (3, PixelSize(width: 0x0101, height: 0x0202)), (2, .init(width: 0x0202, height: 0x0101)),
        ] {
            #expect(await image(file(size(2, 1), box("irot", Data([UInt8(rotation)]))))?.size == expected)
        }
    }

    /// Browsers show a file with each of these.
    @Test func `of a HEIC or AVIF is read from boxes of any length, and from the track of a moving one`() async throws {
        let huge = PixelSize(width: 60_000, height: 60_000)
        let start = Data([0, 0, 0, 20]) + Data("ftypmif1\0\0\0\0heic".utf8)
        let sides = Data([0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60])
        for (length, content) in [
            (20, Data([0, 0, 0, 1]) + sides), (24, Data(count: 4) + sides + Data(count: 4)),
            (1, Data([0, 0, 0, 0, 0, 0, 0, 28]) + Data(count: 4) + sides),
        ] as [(UInt8, Data)] {
            #expect(await image(start + Data([0, 0, 0, length]) + Data("ispe".utf8) + content)?.size == huge)
        }
        var moving = try ImageSample.named("avif-moving.avif").data
        let track = try #require(moving.range(of: Data("tkhd\u{1}".utf8))).lowerBound
        moving.replaceSubrange(track + 92..<track + 100, with: [0xEA, 0x60, 0, 0, 0xEA, 0x60, 0, 0])
        #expect(await image(moving)?.size == huge)
    }

    @Test func `of a PNG is that of its first chunk, or it isn't an image`() async throws {
        let sample = try ImageSample.named("png-huge.png")
        let chunk = Data("CgBI".utf8) + Data([0x50, 0, 0x20, 2]) + Data(count: 4)
        let apple = sample.data.prefix(8) + Data([0, 0, 0, 4]) + chunk + sample.data.dropFirst(8)
        #expect(await image(apple)?.size == sample.size)
        // A longer chunk, which contains another size.
        let content = Data("CgBI".utf8) + Data(count: 16) + Data([0, 0, 0, 1, 0, 0, 0, 1]) + Data(count: 4)
        let longer = sample.data.prefix(8) + Data([0, 0, 0, 24]) + content + sample.data.dropFirst(8)
        #expect(await image(longer) == nil)
    }

    /// mozilla/pdf.js#8170
    @Test(arguments: [[0xFF, 0xE5, 0, 0], [0xFF, 0xFE, 0, 1]] as [[UInt8]])
    func `of a JPEG is read behind a segment whose length is too short`(_ segment: [UInt8]) async throws {
        let sample = try ImageSample.named("jpeg-huge.jpg")
        let data = sample.data.prefix(2) + Data(segment) + sample.data.dropFirst(2)
        #expect(await image(data)?.size == sample.size)
    }

    /// uclouvain/openjpeg#989
    @Test func `of a TIFF has the size that decoders read, or a larger one`() async throws {
        func bytes(_ number: some FixedWidthInteger) -> Data { withUnsafeBytes(of: number.littleEndian) { Data($0) } }
        func entry(_ tag: UInt16, _ type: UInt16, _ value: UInt32) -> Data {
            bytes(tag) + bytes(type) + bytes(UInt32(1)) + bytes(value)
        }
        func file(_ entries: Data...) -> Data {
            Data("II*\0".utf8) + bytes(UInt32(8)) + bytes(UInt16(entries.count)) + entries.reduce(Data(), +)
                + Data(count: 4) + bytes(UInt64(60_000))
        }
        let twice = file(entry(256, 4, 60_000), entry(256, 4, 1), entry(257, 4, 60_000), entry(257, 4, 1))
        #expect(await image(twice)?.size == PixelSize(width: 60_000, height: 60_000))
        // A number of eight bytes, which is elsewhere.
        let size = try #require(await image(file(entry(256, 16, 38), entry(257, 16, 38)))?.size)
        #expect(size.width >= 60_000 && size.height >= 60_000)
    }

    @Test func `of a drawn image is correct for each size`() async {
        for side in [0, 5, 17, 250, 1000] {
            let image = await image(DrawnImage.png(for: "mona", side: side))
            let drawn = min(max(side, 5), 250)
            #expect(image?.format == .png)
            #expect(image?.size == PixelSize(width: drawn, height: drawn))
        }
        #expect(DrawnImage.png(for: "mona") == DrawnImage.png(for: "mona"))
        #expect(DrawnImage.png(for: "mona") != DrawnImage.png(for: "lisa"))
    }
}
