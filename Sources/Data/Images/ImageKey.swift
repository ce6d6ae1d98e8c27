import BrowseDomain
import Foundation

/// What tells one picture from another.
///
/// It is made for each look into the memory, so no address is parsed for it.
struct ImageKey: Hashable {
    private let address: WebAddress
    /// The side that the server is asked for; `nil` where it sends one size only.
    private let side: Int?
    /// Made once and outside of all locks, since the address is long.
    private let hash: Int

    init(_ request: ImageRequest) {
        address = request.address
        side =
            request.address.rawValue.hasPrefix(Self.avatars)
            ? request.side.map { wanted in Self.sides.first { $0 >= wanted } ?? Self.largestSide } : nil
        var hasher = Hasher()
        hasher.combine(address)
        hasher.combine(side)
        hash = hasher.finalize()
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }

    /// Which of so many parts of a memory it belongs to.
    func part(of count: Int) -> Int {
        Int(UInt(bitPattern: hash) >> 8) % count
    }

    /// Where the picture is, always by https.
    ///
    /// - Parameter allowsLoopback: Whether an http address on this computer is left as it is.
    /// - Returns: `nil` when the address is none, or has a name and password in it.
    func url(allowsLoopback: Bool) -> URL? {
        guard let url = address.url, let origin = Origin(url),
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: false), parts.user == nil,
            parts.password == nil
        else { return nil }
        parts.fragment = nil
        if origin.scheme == "http", !(allowsLoopback && origin.isPrivate) {
            parts.scheme = "https"
            if parts.port == 80 { parts.port = nil }
        }
        if let side {
            let others = (parts.percentEncodedQueryItems ?? []).filter { $0.name != "s" }
            parts.percentEncodedQueryItems = others + [URLQueryItem(name: "s", value: "\(side)")]
        }
        return parts.url
    }

    /// A name for the picture's file: address and side, in characters that every file system tells apart, or their hash when
    /// that would be too long.
    ///
    /// Finding a hash takes as long as a part of the reading. A name with a space in it has `_20`, which no hash has.
    var fileName: String {
        let text = "\(address.rawValue) \(side ?? 0)"
        let count = text.utf8.reduce(0) { $0 + (Self.isPlain($1) ? 1 : 3) }
        guard count <= 200 else { return Self.hexadecimal(SHA256Digest.hash(text)) }
        return String(unsafeUninitializedCapacity: count) { name in
            var place = 0
            for byte in text.utf8 {
                if Self.isPlain(byte) {
                    name[place] = byte
                    place += 1
                } else {
                    name[place] = UInt8(ascii: "_")
                    name[place + 1] = Self.digit(byte >> 4)
                    name[place + 2] = Self.digit(byte & 15)
                    place += 3
                }
            }
            return count
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private static func hexadecimal(_ data: Data) -> String {
        String(decoding: data.flatMap { [digit($0 >> 4), digit($0 & 15)] }, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }

    private static let avatars = "https://avatars.githubusercontent.com/"
    /// The sides that avatars are asked for: few, so that lists and pages share pictures. GitHub keeps none above 460.
    private static let sides = [64, 128, 256]
    private static let largestSide = 460
}
