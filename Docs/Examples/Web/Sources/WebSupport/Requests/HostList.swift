/// The hosts that the server contacts for images.
///
/// The list is exact: a name, or `*.` and the name of a domain for its direct and indirect subdomains. Names are compared
/// before anything is parsed, so IP addresses in all their notations, user info, ports, and lookalikes don't match. The image
/// pipeline must not follow redirects, since their targets aren't checked here.
public struct HostList: Sendable, ExpressibleByArrayLiteral {
    private let names: Set<String>
    private let domains: [String]

    /// Creates a list.
    ///
    /// - Parameter hosts: Lowercase names with a dot, such as `avatars.githubusercontent.com` or `*.mzstatic.com`.
    public init(_ hosts: [String]) {
        names = Set(hosts.filter { !$0.hasPrefix("*.") })
        domains = hosts.filter { $0.hasPrefix("*.") }.map { String($0.dropFirst()) }
    }

    /// Creates a list of hosts.
    public init(arrayLiteral hosts: String...) {
        self.init(hosts)
    }

    /// Returns whether a text is an https address of a listed host.
    ///
    /// - Parameter address: The text, at most 2,048 bytes: `https://`, a listed name without a port, and optionally a path
    ///   and a query of printable ASCII without `\` and `#`.
    public func allows(_ address: String) -> Bool {
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
