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

    init(_ request: ImageRequest, sizes: [ImageSizes] = []) {
        address = request.address
        let sizes = sizes.first { request.address.rawValue.hasPrefix($0.prefix) }
        side = request.side.flatMap { wanted in sizes?.side(for: wanted) }
        sideName = sizes?.parameter ?? ""
    }

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

    /// The key of the file.
    var text: String { "\(address.rawValue) \(side ?? 0)" }
}
