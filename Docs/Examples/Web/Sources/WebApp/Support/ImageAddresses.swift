import BrowseKit

/// Signs the addresses of images, so that the image route loads only what a page of this server shows.
///
/// Without the signature, anybody could use the server to send requests. The address is checked when it's signed and again
/// when it comes back, so a mistake in a page doesn't open other hosts.
struct ImageAddresses: Sendable {
    private static let purpose = SignaturePurpose("image")

    let signer: Signer
    /// The hosts from which images are loaded.
    let hosts: HostList

    /// Returns the signed address of an image; `nil` if images of that address aren't loaded.
    ///
    /// It doesn't expire, so browsers can cache the image.
    func token(for image: ImageRequest) -> String? {
        guard hosts.allows(image.address.rawValue) else { return nil }
        return signer.sign("\(image.side.map(String.init) ?? "") \(image.address.rawValue)", for: Self.purpose)
    }

    /// Returns the image of a signed address; `nil` if the signature is invalid or the host isn't listed.
    func image(of token: String) -> ImageRequest? {
        guard let value = signer.value(of: token, for: Self.purpose) else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, hosts.allows(String(parts[1])) else { return nil }
        return ImageRequest(WebAddress(rawValue: String(parts[1])), side: Int(parts[0]))
    }
}

/// The hosts that the server contacts for images.
///
/// The list is exact: a name, or `*.` and the name of a domain for its direct and indirect subdomains. Names are compared
/// before anything is parsed, so IP addresses in all their notations, user info, ports, and lookalikes don't match. The image
/// pipeline must not follow redirects, since their targets aren't checked here.
struct HostList: Sendable, ExpressibleByArrayLiteral {
    private let names: Set<String>
    private let domains: [String]

    /// Creates a list of lowercase names with a dot, such as `images.example` or `*.mzstatic.com`.
    init(arrayLiteral hosts: String...) {
        names = Set(hosts.filter { !$0.hasPrefix("*.") })
        domains = hosts.filter { $0.hasPrefix("*.") }.map { String($0.dropFirst()) }
    }

    /// Returns whether a text of at most 2,048 bytes is an https address of a listed host, without a port.
    func allows(_ address: String) -> Bool {
        guard address.utf8.count <= 2048, address.hasPrefix("https://"),
            address.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "#") })
        else { return false }
        let host = address.dropFirst("https://".count).prefix { $0 != "/" && $0 != "?" }.lowercased()
        guard !names.contains(host) else { return true }
        return domains.contains { domain in
            let labels = host.dropLast(domain.count).split(separator: ".", omittingEmptySubsequences: false)
            return host.hasSuffix(domain) && labels.allSatisfy(Self.isLabel)
        }
    }

    private static func isLabel(_ label: Substring) -> Bool {
        let isAllowed = label.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || byte == UInt8(ascii: "-")
        }
        return isAllowed && !label.isEmpty && label.utf8.count <= 63
    }
}
