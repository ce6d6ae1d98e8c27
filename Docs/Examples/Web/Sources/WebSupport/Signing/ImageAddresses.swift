/// An image that a page of this server shows.
public struct ImageAddress: Hashable, Sendable {
    /// The https address of the image.
    public let address: String
    /// The longer side in pixels; `nil` for the original size.
    public let side: Int?
}

/// Signs the addresses of images, so that the image route loads only what a page of this server shows.
///
/// Without the signature, anybody could use the server to send requests. The address is checked when it's signed and again
/// when it comes back, so a mistake in a page doesn't open other hosts.
public struct ImageAddresses: Sendable {
    private static let purpose = SignaturePurpose("image")

    private let signer: Signer
    private let hosts: HostList

    /// Creates a source of image addresses.
    ///
    /// - Parameters:
    ///   - signer: Signs the addresses.
    ///   - hosts: The hosts from which images are loaded.
    public init(signer: Signer, hosts: HostList) {
        self.signer = signer
        self.hosts = hosts
    }

    /// Returns the signed address of an image, for a path component.
    ///
    /// It doesn't expire, so browsers can cache the image.
    ///
    /// - Parameters:
    ///   - address: The address as sent by a service.
    ///   - side: The longer side in pixels; `nil` for the original size.
    /// - Returns: The text; `nil` if images of that address aren't loaded.
    public func token(for address: String, side: Int? = nil) -> String? {
        guard hosts.allows(address) else { return nil }
        return signer.sign("\(side.map(String.init) ?? "") \(address)", for: Self.purpose)
    }

    /// Returns the image of a signed address.
    ///
    /// - Parameter token: The path component of a request.
    /// - Returns: The image; `nil` if the signature is invalid or the host isn't listed.
    public func image(of token: String) -> ImageAddress? {
        guard let value = try? signer.value(of: token, for: Self.purpose) else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, hosts.allows(String(parts[1])) else { return nil }
        return ImageAddress(address: String(parts[1]), side: Int(parts[0]))
    }
}
