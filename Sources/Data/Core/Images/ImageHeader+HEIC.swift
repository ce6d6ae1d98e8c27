import BrowseDomain

extension ImageHeader {
    /// Whether a file's brands include one of HEVC images (ISO/IEC 23008-12, annex B).
    static func isHEIC(_ bytes: ImageBytes) -> Bool {
        guard bytes.has("ftyp", at: 4), let length = bytes.big(4, at: 0), length >= 16 else { return false }
        // The major brand and, after the version, the compatible brands.
        let brands = [8] + stride(from: 16, to: min(length, 128), by: 4)
        return brands.contains { offset in
            ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"].contains { bytes.has($0, at: offset) }
        }
    }

    /// Reads the nested boxes of a HEIC file (ISO/IEC 14496-12).
    ///
    /// The size is that of the largest image in the file, before rotation and cropping; the others are its tiles and
    /// thumbnails.
    static func heic(_ bytes: ImageBytes) throws(Problem) -> PixelSize? {
        guard let boxes = boxes(in: bytes, from: 0, to: bytes.count),
            boxes.contains(where: { bytes.has("mdat", at: $0.name) })
        else { throw .cutOff }
        var content = boxes.first { bytes.has("meta", at: $0.name) }.map {
            ($0.content + 4)..<max($0.end, $0.content + 4)
        }
        for name: StaticString in ["iprp", "ipco"] {
            content = content.flatMap { range in
                Self.boxes(in: bytes, from: range.lowerBound, to: range.upperBound)?
                    .first { bytes.has(name, at: $0.name) }.map { $0.content..<$0.end }
            }
        }
        guard let content else { return nil }
        return Self.boxes(in: bytes, from: content.lowerBound, to: content.upperBound)?
            .filter { bytes.has("ispe", at: $0.name) && $0.end - $0.content >= 12 }
            .compactMap { PixelSize(bytes.big(4, at: $0.content + 4), bytes.big(4, at: $0.content + 8)) }
            .max { Double($0.width) * Double($0.height) < Double($1.width) * Double($1.height) }
    }

    private struct Box {
        let name: Int
        let content: Int
        let end: Int
    }

    /// The boxes in a range; `nil` if one of them extends beyond it.
    private static func boxes(in bytes: ImageBytes, from start: Int, to end: Int) -> [Box]? {
        var boxes: [Box] = []
        var offset = start
        while offset < end {
            guard var length = bytes.big(4, at: offset) else { return nil }
            var header = 8
            // The last box may omit its length, and a large one stores it in 64 bits.
            if length == 0 { length = end - offset }
            if length == 1 {
                guard bytes.big(4, at: offset + 8) == 0, let long = bytes.big(4, at: offset + 12) else { return nil }
                (length, header) = (long, 16)
            }
            guard length >= header, length <= end - offset else { return nil }
            boxes.append(Box(name: offset + 4, content: offset + header, end: offset + length))
            offset += length
        }
        return boxes
    }
}
