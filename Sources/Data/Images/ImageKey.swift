import BrowseDomain
import Foundation

/// What tells one picture from another.
///
/// It is made for each look into the memory, so no address is parsed for it.
struct ImageKey: Hashable {
    private let address: WebAddress
    /// The side that the server is asked for; `nil` where it sends one size only.
    private let side: Int?

    init(_ request: ImageRequest) {
        address = request.address
        side =
            request.address.rawValue.hasPrefix(Self.avatars)
            ? request.side.map { wanted in Self.sides.first { $0 >= wanted } ?? Self.largestSide } : nil
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

    /// A name for the picture's file, of digits and lower-case letters.
    var fileName: String {
        let hash = SHA256Digest.hash("\(address.rawValue) \(side ?? 0)")
        return String(decoding: hash.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)
    private static let avatars = "https://avatars.githubusercontent.com/"
    /// The sides that avatars are asked for: few, so that lists and pages share pictures. GitHub keeps none above 460.
    private static let sides = [64, 128, 256]
    private static let largestSide = 460
}
