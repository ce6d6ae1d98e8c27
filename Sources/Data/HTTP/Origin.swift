package import Foundation

/// Scheme, host and port of an address, the unit that credentials belong to (RFC 6454).
package struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int

    /// The origin of an http or https address; `nil` for others.
    package init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased(), !host.isEmpty else {
            return nil
        }
        // A port that is too large for a number is not the usual one.
        guard url.port != nil || !Self.namesPort(url) else { return nil }
        switch scheme {
        case "https": port = url.port ?? 443
        case "http": port = url.port ?? 80
        default: return nil
        }
        self.scheme = scheme
        self.host = host
    }

    /// Whether anything but nothing stands behind the colon of a host.
    private static func namesPort(_ url: URL) -> Bool {
        let address = url.absoluteString
        guard let start = address.range(of: "://")?.upperBound else { return false }
        let authority = address[start...].prefix { !"/?#".contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
        // An IPv6 address has colons of its own, inside of brackets.
        let end = host.lastIndex(of: "]") ?? host.startIndex
        return host[end...].split(separator: ":", maxSplits: 1).count > 1
    }
}

extension Origin {
    /// Whether a secret may be sent there: nobody between can read it, or it does not leave this computer.
    package var isPrivate: Bool { scheme == "https" || isLoopback }

    /// Whether it is on this machine.
    var isLoopback: Bool { ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host) }

    /// The origin as it is written, without the scheme's own port.
    var text: String {
        "\(scheme)://\(authority)"
    }

    /// Host and port as they stand in an address, without the scheme's own port.
    var authority: String { bracketedHost + (port == defaultPort ? "" : ":\(port)") }

    /// The host as it stands in an address: an IPv6 address in brackets.
    var bracketedHost: String { host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host }

    private var defaultPort: Int { scheme == "https" ? 443 : 80 }
}
