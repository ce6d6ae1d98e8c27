#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The address of a client, as the key of its limits.
///
/// A network that has IPv6 gives each customer at least 2⁶⁴ addresses, so those with the same first 64 bits are one client.
public struct ClientAddress: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Creates the key of an address.
    ///
    /// - Parameters:
    ///   - peer: The address of the connection, such as `192.0.2.1` or `2001:db8::1`; `nil` if unknown.
    ///   - forwarded: The values of the `X-Forwarded-For` fields, if the server is reached through a proxy only. The last
    ///     address counts: the proxy added it, while the client can send any others. Empty ignores the field.
    public init(peer: String?, forwarded: [String] = []) {
        let last = forwarded.last?.split(separator: ",").last.map { $0.filter { $0 != " " } }
        bytes = Self.bytes(of: last ?? peer ?? "") ?? []
    }

    private static func bytes(of address: String) -> [UInt8]? {
        var v4 = [UInt8](repeating: 0, count: 4)
        if inet_pton(AF_INET, address, &v4) == 1 { return v4 }
        var v6 = [UInt8](repeating: 0, count: 16)
        // A scope such as "%eth0" isn't part of the address.
        guard inet_pton(AF_INET6, String(address.prefix { $0 != "%" }), &v6) == 1 else { return nil }
        let isMappedV4 = v6[..<10].allSatisfy { $0 == 0 } && v6[10] == 0xFF && v6[11] == 0xFF
        return isMappedV4 ? Array(v6[12...]) : Array(v6[..<8])
    }
}
