@_spi(Services) import BrowseDomain
import Foundation

/// The sizes in which a server offers its images.
///
/// Few sizes let screens share images.
public struct ImageSizes: Hashable, Sendable {
    let prefix: String
    let parameter: String
    private let sides: [Int]

    /// Creates a description of a server's sizes.
    ///
    /// - Parameters:
    ///   - prefix: The beginning of the images' addresses, such as `https://covers.example/`.
    ///   - parameter: The name of the query item that requests a size; letters, digits, and `-._~`
    ///     only.
    ///   - sides: The sizes to request, in pixels. A view gets the smallest that isn't smaller than
    ///     the view, else the largest.
    public init(prefix: String, parameter: String, sides: [Int]) {
        self.prefix = prefix
        self.parameter = parameter
        self.sides = sides.sorted()
    }

    /// Returns the side to request for a view.
    func side(for wanted: Int) -> Int? { sides.first { $0 >= wanted } ?? sides.last }
}

extension ImageRequest {
    /// The side to request, and the name of its query item; `nil` if the server offers one size
    /// only.
    func size(in sizes: [ImageSizes]) -> (name: String, side: Int)? {
        guard let side, let sizes = sizes.first(where: { address.rawValue.hasPrefix($0.prefix) }) else { return nil }
        return sizes.side(for: side).map { (sizes.parameter, $0) }
    }

    /// The URL to request, with the scheme `https`.
    ///
    /// - Parameter allowsLoopback: Whether an `http` URL on this machine is left unchanged.
    /// - Returns: `nil` if the address is invalid, or contains a user name or a password.
    func url(sizes: [ImageSizes] = [], allowsLoopback: Bool) -> URL? {
        guard let url = address.url, let origin = Origin(url),
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        else { return nil }
        parts.fragment = nil
        if origin.scheme == "http", !(allowsLoopback && origin.isPrivate) {
            parts.scheme = "https"
            if parts.port == 80 { parts.port = nil }
        }
        if let (name, side) = size(in: sizes) {
            let others = (parts.percentEncodedQueryItems ?? []).filter { $0.name != name }
            parts.percentEncodedQueryItems = others + [URLQueryItem(name: name, value: "\(side)")]
        }
        return parts.url
    }
}
