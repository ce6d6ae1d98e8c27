import Foundation

/// The address of a Redis server.
///
/// hiredis 0.14 has no TLS: use a private network, or a local TLS proxy such as stunnel.
public struct RedisAddress: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The reason why a text isn't an address. It doesn't contain the text, which can have a password.
    public enum Problem: String, Error, CustomStringConvertible {
        /// The text isn't an address.
        case malformed = "not of the form redis://USER:PASSWORD@HOST:PORT"
        /// The scheme is `rediss`.
        case usesTLS = "rediss: isn't supported, because hiredis 0.14 has no TLS; use stunnel and redis:"
        /// The path selects a database.
        case hasDatabase = "must not select a database: all databases of a server share its memory limit"

        /// The problem, and its solution.
        public var description: String { rawValue }
    }

    /// The host name or IP address.
    public var host: String
    /// The port.
    public var port: UInt16
    /// The name for `AUTH`; `nil` is the default user.
    public var user: String?
    /// The password; `nil` connects without one.
    public var password: String?

    /// Creates an address.
    public init(host: String = "127.0.0.1", port: UInt16 = 6379, user: String? = nil, password: String? = nil) {
        self.host = host
        self.port = port
        self.user = user
        self.password = password
    }

    /// Parses `HOST`, `HOST:PORT`, or `redis://USER:PASSWORD@HOST:PORT`, with percent-encoded names.
    public init(_ text: String) throws(Problem) {
        guard let url = URLComponents(string: text.contains("://") ? text : "redis://" + text) else { throw .malformed }
        if url.scheme == "rediss" { throw .usesTLS }
        guard url.scheme == "redis", let host = url.host, !host.isEmpty, url.query == nil, url.fragment == nil,
            let port = UInt16(exactly: url.port ?? 6379)
        else { throw .malformed }
        guard ["", "/"].contains(url.path) else { throw .hasDatabase }
        // The user may be empty, and `[::1]` has brackets in a URL only.
        let user = url.user.flatMap { $0.isEmpty ? nil : $0 }
        // Without a password, the user would be ignored.
        guard user == nil || url.password != nil else { throw .malformed }
        self.init(host: host.trimmingCharacters(in: ["[", "]"]), port: port, user: user, password: url.password)
    }

    /// The host and port, without the password.
    public var description: String { "\(host):\(port)" }

    /// The description, so that `dump` doesn't show the password.
    public var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}
