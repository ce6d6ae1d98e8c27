#if canImport(Glibc) && canImport(CBrowseCurl)
import CBrowseCurl
import Foundation
import Glibc

/// A transport's settings.
struct CurlOptions: Sendable {
    /// The maximum number of requests to one origin in flight at once.
    var connectionsPerHost: Int
    /// The time that a loop without requests keeps its connections open.
    var idleDuration: Duration
    /// A file of certificates to trust in place of the system's, for tests.
    var certificateAuthorities: URL?
}

/// A connection that at least one transfer uses.
final class CurlConnection {
    fileprivate let name: CurlEnvironment.ConnectionName
    /// The number of transfers that use the connection.
    fileprivate(set) var users = 0
    /// The number of parts of responses that the connection received; it wraps around.
    var receipts = 0

    fileprivate init(name: CurlEnvironment.ConnectionName) {
        self.name = name
    }
}

/// The state that a loop's transfers share: settings, TLS sessions, and connections.
///
/// It isn't `Sendable`: only the loop's thread uses it.
final class CurlEnvironment {
    /// The addresses and ports that identify an open connection.
    struct ConnectionName: Hashable {
        let remote: String
        let local: String
        let remotePort: Int32
        let localPort: Int32
    }

    let options: CurlOptions
    /// Shares TLS sessions between transfers; libcurl shares connections and DNS results by itself.
    let share: UnsafeMutableRawPointer?
    private var connections: [ConnectionName: CurlConnection] = [:]
    private var idleSockets: [ConnectionName: Int32] = [:]
    private var idleNames: [Int32: ConnectionName] = [:]

    init(options: CurlOptions) {
        self.options = options
        share = curl_share_init()
        if let share { _ = browse_curl_share_tls_sessions(share) }
    }

    deinit { curl_share_cleanup(share) }

    // MARK: Connections in use

    /// Returns a connection for one more transfer.
    func join(_ name: ConnectionName) -> CurlConnection {
        let connection = connections[name] ?? CurlConnection(name: name)
        connections[name] = connection
        connection.users += 1
        return connection
    }

    /// Ends a transfer's use of a connection.
    func leave(_ connection: CurlConnection) {
        connection.users -= 1
        if connection.users == 0 { connections[connection.name] = nil }
    }

    // MARK: Idle connections

    /// Marks an HTTP/1.1 connection as idle.
    func addIdle(_ socket: Int32, named name: ConnectionName) {
        idleSockets[name] = socket
        idleNames[socket] = name
    }

    /// Marks a connection as used; returns whether it received data while it was idle.
    ///
    /// The data may be an unsolicited response, such as a 408, which libcurl would treat as the response to the next request.
    func takeIdle(_ name: ConnectionName) -> Bool {
        guard let socket = idleSockets.removeValue(forKey: name) else { return false }
        idleNames[socket] = nil
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    /// Closes a socket for libcurl.
    fileprivate func closeSocket(_ socket: Int32) -> Int32 {
        if let name = idleNames.removeValue(forKey: socket) { idleSockets[name] = nil }
        return close(socket)
    }
}

extension CurlEnvironment {
    /// libcurl's callback to close a socket; its context is an environment.
    static let onClose: @convention(c) (UnsafeMutableRawPointer?, curl_socket_t) -> Int32 = { context, socket in
        guard let context else { return close(socket) }
        return Unmanaged<CurlEnvironment>.fromOpaque(context).takeUnretainedValue().closeSocket(socket)
    }
}
#endif
