package import Foundation

/// A decoded image with eight bits each for red, green, and blue.
package struct PixelImage: Hashable, Sendable {
    package let width: Int
    package let height: Int
    private let bytes: [UInt8]

    /// Reads the first binary PPM (netpbm.sourceforge.net/doc/ppm.html); `nil` if there is none.
    package init?(ppm data: Data) {
        var rest = data[...]
        /// Reads a word of the header and one white space, skipping comments.
        func word() -> String? {
            while let byte = rest.first, byte.isSpace || byte == UInt8(ascii: "#") {
                rest = byte.isSpace ? rest.dropFirst() : rest.drop { $0 != UInt8(ascii: "\n") }
            }
            let word = rest.prefix { !$0.isSpace }
            rest = rest[word.endIndex...].dropFirst()
            return word.count <= 10 ? String(decoding: word, as: UTF8.self) : nil
        }
        guard word() == "P6", let width = word().flatMap({ Int($0) }), let height = word().flatMap({ Int($0) }),
            word() == "255", (1...1 << 15).contains(width), (1...1 << 15).contains(height),
            rest.count >= 3 * width * height
        else { return nil }
        self.init(width: width, height: height, bytes: Array(rest.prefix(3 * width * height)))
    }

    private init(width: Int, height: Int, bytes: [UInt8]) {
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    package func color(_ x: Int, _ y: Int) -> Color {
        let start = 3 * (y * width + x)
        return Color(red: bytes[start], green: bytes[start + 1], blue: bytes[start + 2])
    }

    /// Returns the image scaled down to fit a size; each pixel is the mean of the original ones.
    package func scaled(toFit width: Int, _ height: Int) -> PixelImage {
        let scale = min(1, Double(width) / Double(self.width), Double(height) / Double(self.height))
        let newWidth = max(1, Int(Double(self.width) * scale))
        let newHeight = max(1, Int(Double(self.height) * scale))
        guard newWidth < self.width || newHeight < self.height else { return self }
        var result: [UInt8] = []
        result.reserveCapacity(3 * newWidth * newHeight)
        for y in 0..<newHeight {
            let rows =
                y * self.height / newHeight..<max(y * self.height / newHeight + 1, (y + 1) * self.height / newHeight)
            for x in 0..<newWidth {
                let columns =
                    x * self.width / newWidth..<max(x * self.width / newWidth + 1, (x + 1) * self.width / newWidth)
                for channel in 0..<3 {
                    let sum = rows.reduce(0) { sum, row in
                        columns.reduce(sum) { $0 + Int(bytes[3 * (row * self.width + $1) + channel]) }
                    }
                    result.append(UInt8(sum / (rows.count * columns.count)))
                }
            }
        }
        return PixelImage(width: newWidth, height: newHeight, bytes: result)
    }

    /// Returns lines of half blocks, each of which shows two pixels, one above the other.
    package func lines(isTrueColor: Bool) -> [Line] {
        stride(from: 0, to: height, by: 2).map { y in
            (0..<width).reduce(Line()) { line, x in
                let lower = y + 1 < height ? color(x, y + 1) : nil
                return line.adding("▀", .pixels(upper: color(x, y), lower: lower, isTrueColor: isTrueColor))
            }
        }
    }
}

/// The color of a pixel.
package struct Color: Hashable, Sendable {
    package let red, green, blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Returns the color for an escape sequence: itself, or the nearest of xterm's 216 colors.
    func code(isTrueColor: Bool) -> String {
        guard !isTrueColor else { return "2;\(red);\(green);\(blue)" }
        let steps = [red, green, blue].map { (Int($0) * 5 + 127) / 255 }
        return "5;\(16 + 36 * steps[0] + 6 * steps[1] + steps[2])"
    }
}

extension UInt8 {
    fileprivate var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
