import Foundation

/// The address of a client, as the key of its limits.
///
/// A network that has IPv6 gives each customer at least 2⁶⁴ addresses, so those with the same first 64 bits are one client.
public struct ClientAddress: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Creates the key of an address.
    ///
    /// - Parameters:
    ///   - peer: The address of the connection, such as `192.0.2.1` or `2001:db8::1`; `nil` if unknown.
    ///   - forwarded: The values of the `X-Forwarded-For` fields. They're read from the end, as long as the address before was
    ///     that of a proxy: a proxy added it, while the client can send any others.
    ///   - proxies: The networks of proxies.
    public init(peer: String?, forwarded: [String] = [], proxies: NetworkList = []) {
        var client = peer ?? ""
        for entry in forwarded.flatMap({ $0.split(separator: ",") }).reversed() {
            guard proxies.contains(client) else { break }
            client = Self.host(of: entry.filter { $0 != " " })
        }
        bytes = NetworkList.bytes(of: client).map { Array($0.prefix($0.count == 4 ? 4 : 8)) } ?? []
    }

    /// Returns an address without the port that some proxies add.
    private static func host(of entry: String) -> String {
        if entry.hasPrefix("[") { return String(entry.dropFirst().prefix { $0 != "]" }) }
        return entry.count { $0 == ":" } == 1 ? String(entry.prefix { $0 != ":" }) : entry
    }
}

/// IP networks, such as those of trusted proxies.
public struct NetworkList: Sendable, ExpressibleByArrayLiteral {
    private let networks: [(bytes: [UInt8], length: Int)]

    /// Creates a list of networks such as `10.0.0.0/8`, or addresses; `nil` if one isn't.
    public init?(_ texts: [String]) {
        var networks: [(bytes: [UInt8], length: Int)] = []
        for text in texts {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard (1...2).contains(parts.count), let bytes = Self.bytes(of: String(parts[0])),
                let length = parts.count == 1 ? bytes.count * 8 : Int(parts[1]), (0...bytes.count * 8).contains(length)
            else { return nil }
            networks.append((bytes, length))
        }
        self.networks = networks
    }

    /// Creates a list of valid networks.
    public init(arrayLiteral texts: String...) {
        guard let list = NetworkList(texts) else { preconditionFailure("\(texts) aren't networks") }
        self = list
    }

    /// Returns whether an address is in one of the networks.
    public func contains(_ address: String) -> Bool {
        guard let bytes = Self.bytes(of: address) else { return false }
        return networks.contains { network in
            network.bytes.count == bytes.count
                && (0..<network.length).allSatisfy { bit in
                    (network.bytes[bit / 8] ^ bytes[bit / 8]) & (0x80 >> (bit % 8)) == 0
                }
        }
    }

    /// Returns the 4 or 16 bytes of an address; `nil` for other texts.
    fileprivate static func bytes(of address: String) -> [UInt8]? {
        var v4 = [UInt8](repeating: 0, count: 4)
        if inet_pton(AF_INET, address, &v4) == 1 { return v4 }
        var v6 = [UInt8](repeating: 0, count: 16)
        // A scope such as "%eth0" isn't part of the address.
        guard inet_pton(AF_INET6, String(address.prefix { $0 != "%" }), &v6) == 1 else { return nil }
        let isMappedV4 = v6[..<10].allSatisfy { $0 == 0 } && v6[10] == 0xFF && v6[11] == 0xFF
        return isMappedV4 ? Array(v6[12...]) : v6
    }
}
