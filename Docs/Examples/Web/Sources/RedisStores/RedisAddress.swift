/// The address of a Redis server.
///
/// hiredis 0.14 has no TLS: use a private network, or a local TLS proxy such as stunnel.
public struct RedisAddress: Hashable, Sendable, CustomStringConvertible {
    /// The host name or IP address.
    public var host: String
    /// The port.
    public var port: UInt16
    /// The password; `nil` connects without one.
    public var password: String?

    /// Creates an address.
    public init(host: String = "127.0.0.1", port: UInt16 = 6379, password: String? = nil) {
        self.host = host
        self.port = port
        self.password = password
    }

    /// Parses `HOST`, `HOST:PORT`, or `redis://:PASSWORD@HOST:PORT`; `nil` for other texts.
    public init?(_ text: String) {
        var rest = Substring(text)
        if rest.hasPrefix("redis://") { rest = rest.dropFirst(8) }
        var password: String?
        if let at = rest.lastIndex(of: "@") {
            guard rest.first == ":" else { return nil }
            password = String(rest[rest.index(after: rest.startIndex)..<at])
            rest = rest[rest.index(after: at)...]
        }
        let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), !parts[0].isEmpty, !rest.contains("/") else { return nil }
        guard let port = parts.count == 1 ? 6379 : UInt16(parts[1]) else { return nil }
        self.init(host: String(parts[0]), port: port, password: password)
    }

    /// The host and port, without the password.
    public var description: String { "\(host):\(port)" }
}
