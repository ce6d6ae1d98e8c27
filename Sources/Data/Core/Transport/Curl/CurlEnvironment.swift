#if canImport(Glibc) && canImport(CBrowseCurl)
import CBrowseCurl
import Foundation

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

        init(_ remote: UnsafePointer<CChar>, _ remotePort: Int32, _ local: UnsafePointer<CChar>, _ localPort: Int32) {
            self.remote = String(cString: remote)
            self.remotePort = remotePort
            self.local = String(cString: local)
            self.localPort = localPort
        }
    }

    /// A connection that at least one transfer uses.
    final class Connection {
        fileprivate let name: ConnectionName
        /// The number of transfers that use the connection.
        fileprivate(set) var users = 0
        /// The number of parts of responses that the connection received; it wraps around.
        var receipts = 0

        fileprivate init(name: ConnectionName) {
            self.name = name
        }
    }

    let options: CurlOptions
    /// Shares TLS sessions between transfers; libcurl shares connections and DNS results by itself.
    let share: UnsafeMutableRawPointer?
    private var connections: [ConnectionName: Connection] = [:]
    private var idleSockets: [ConnectionName: Int32] = [:]

    init(options: CurlOptions) {
        self.options = options
        share = curl_share_init()
        if let share { _ = browse_curl_share_tls_sessions(share) }
    }

    deinit { curl_share_cleanup(share) }

    // MARK: Connections in use

    /// Returns a connection for one more transfer.
    func join(_ name: ConnectionName) -> Connection {
        let connection = connections[name] ?? Connection(name: name)
        connections[name] = connection
        connection.users += 1
        return connection
    }

    /// Ends a transfer's use of a connection.
    func leave(_ connection: Connection) {
        connection.users -= 1
        if connection.users == 0 { connections[connection.name] = nil }
    }

    // MARK: Idle connections

    /// Marks an HTTP/1.1 connection as idle.
    func addIdle(_ socket: Int32, named name: ConnectionName) { idleSockets[name] = socket }

    /// Marks a connection as used; returns whether it received data while it was idle.
    ///
    /// The data may be an unsolicited response, such as a 408, which libcurl would treat as the
    /// response to the next request.
    func takeIdle(_ name: ConnectionName) -> Bool {
        guard let socket = idleSockets.removeValue(forKey: name) else { return false }
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    /// Closes a socket for libcurl.
    fileprivate func closeSocket(_ socket: Int32) -> Int32 {
        // The system can give its number to another connection.
        idleSockets = idleSockets.filter { $0.value != socket }
        return close(socket)
    }

    /// libcurl's callback to close a socket; its context is an environment.
    static let onClose: @convention(c) (UnsafeMutableRawPointer?, curl_socket_t) -> Int32 = { context, socket in
        guard let context else { return close(socket) }
        return Unmanaged<CurlEnvironment>.fromOpaque(context).takeUnretainedValue().closeSocket(socket)
    }
}
#endif
