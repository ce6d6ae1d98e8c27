public import Foundation

/// The scheme, host, and port of a URL, the scope of credentials (RFC 6454).
@_spi(Services) public struct Origin: Hashable, Sendable {
    package let scheme: String
    let host: String
    let port: Int

    /// Creates the origin of an http or https URL; `nil` for others.
    public init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let written = url.host(), !written.isEmpty else { return nil }
        // Foundation returns a name outside ASCII in the form that is sent (RFC 6454, section 4)
        // only without percent-encoding, which would turn `%2F` into a slash.
        let isASCII = (written.removingPercentEncoding ?? "").utf8.allSatisfy { $0 < 0x80 }
        let host = (isASCII ? written : url.host(percentEncoded: false) ?? written).lowercased()
        // `URL.port` is `nil` for a port that's too large, which isn't the default port.
        guard url.port != nil || !Self.namesPort(url) else { return nil }
        switch scheme {
        case "https": port = url.port ?? 443
        case "http": port = url.port ?? 80
        default: return nil
        }
        self.scheme = scheme
        self.host = host
    }

    /// Whether the authority contains a port.
    private static func namesPort(_ url: URL) -> Bool {
        let authority = url.absoluteString.drop { $0 != "/" }.dropFirst(2).prefix { !"/?#".contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
        // An IPv6 address contains colons inside brackets.
        let end = host.lastIndex(of: "]") ?? host.startIndex
        return host[end...].split(separator: ":", maxSplits: 1).count > 1
    }
}

@_spi(Services) extension Origin {
    /// Whether secrets can be sent to the origin: it uses https, or is on this device.
    package var isPrivate: Bool { scheme == "https" || isLoopback }

    var isLoopback: Bool { ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host) }

    /// Whether the host is in a local network (RFC 1918 and 6762).
    ///
    /// A system can require the person's permission to use it.
    var isLocal: Bool {
        let parts = host.split(separator: ".").map { Int($0) }
        guard parts.count == 4, let first = parts[0], let second = parts[1] else { return host.hasSuffix(".local") }
        return first == 10 || (first, second) == (192, 168) || first == 172 && (16...31).contains(second)
    }

    /// The origin as text, without the scheme's default port.
    package var text: String { "\(scheme)://\(authority)" }

    /// The host and port as in a URL, without the scheme's default port.
    public var authority: String {
        let isBareIPv6 = host.contains(":") && !host.hasPrefix("[")
        return (isBareIPv6 ? "[\(host)]" : host) + (port == (scheme == "https" ? 443 : 80) ? "" : ":\(port)")
    }
}
