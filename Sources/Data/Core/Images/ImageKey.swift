@_spi(Services) import BrowseDomain
import Foundation

/// Identifies an image by its address and size.
///
/// Every lookup in memory creates one, so it doesn't parse the address.
struct ImageKey: Hashable {
    private let address: WebAddress
    /// The requested side in pixels; `nil` if the server offers only one size.
    private let side: Int?
    /// The name of the query item for the side.
    private let sideName: String
    /// Computed once, outside all locks, because the address is long.
    private let hash: Int

    init(_ request: ImageRequest, sizes: [ImageSizes] = []) {
        address = request.address
        let sizes = sizes.first { request.address.rawValue.hasPrefix($0.prefix) }
        side = request.side.flatMap { wanted in sizes?.side(for: wanted) }
        sideName = sizes?.parameter ?? ""
        var hasher = Hasher()
        hasher.combine(address)
        hasher.combine(side)
        hash = hasher.finalize()
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    /// Returns the index of the memory part that stores the image, in `0..<partCount`.
    func partIndex(partCount: Int) -> Int { Int(UInt(bitPattern: hash) >> 8) % partCount }

    /// The URL to request, with the scheme `https`.
    ///
    /// - Parameter allowsLoopback: Whether an `http` URL on this machine is left unchanged.
    /// - Returns: `nil` if the address is invalid, or contains a user name or a password.
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
            let others = (parts.percentEncodedQueryItems ?? []).filter { $0.name != sideName }
            parts.percentEncodedQueryItems = others + [URLQueryItem(name: sideName, value: "\(side)")]
        }
        return parts.url
    }

    /// The file name: the escaped address and side, or a hash if that is too long.
    ///
    /// Uppercase letters are escaped, because some file systems ignore case. Only long names are hashed, because hashing is slow.
    /// An escaped name contains `_20`, an escaped space, so it never equals a hash.
    var fileName: String {
        let text = "\(address.rawValue) \(side ?? 0)"
        let count = text.utf8.reduce(0) { $0 + (Self.isPlain($1) ? 1 : 3) }
        guard count <= 200 else { return SHA256Digest.hash(text).hexadecimal }
        return String(unsafeUninitializedCapacity: count) { name in
            var place = 0
            for byte in text.utf8 {
                if Self.isPlain(byte) {
                    name[place] = byte
                    place += 1
                } else {
                    name[place] = UInt8(ascii: "_")
                    (name[place + 1], name[place + 2]) = byte.hexDigits
                    place += 3
                }
            }
            return count
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte.isASCIILowercase || byte.isASCIIDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    }
}
