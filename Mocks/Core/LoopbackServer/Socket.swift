#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif
import Synchronization

/// The server's socket calls; interrupted ones are repeated, and broken pipes raise no signal.
enum Socket {
    /// A pipe used to wake threads that wait in ``waitForInput(_:_:wantsFirst:milliseconds:)``.
    struct Pipe {
        var reader: Int32
        var writer: Int32
    }

    /// The result of an attempt to accept a connection.
    enum Accepted {
        case connection(Int32)
        case nothing
        /// The process or the system has no free descriptor or memory.
        case exhausted
        case failed
    }

    #if canImport(Glibc)
    private static let streamType = Int32(SOCK_STREAM.rawValue)
    #else
    private static let streamType = SOCK_STREAM
    #endif

    #if canImport(Darwin)
    private static let sendFlags: Int32 = 0  // SO_NOSIGPIPE is set on the socket instead.
    #else
    private static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif

    private static let dontWait = Int32(MSG_DONTWAIT)

    // MARK: Making descriptors

    static func makePipe() throws(LoopbackServer.Failure) -> Pipe {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw failure("pipe") }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        return Pipe(reader: ends[0], writer: ends[1])
    }

    /// Returns a non-blocking socket that listens on 127.0.0.1 or ::1, and its port.
    static func makeListener(usesIPv6: Bool) throws(LoopbackServer.Failure) -> (socket: Int32, port: UInt16) {
        let listener = socket(usesIPv6 ? AF_INET6 : AF_INET, streamType, 0)
        guard listener >= 0 else { throw failure("socket") }
        do throws(LoopbackServer.Failure) {
            _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
            guard fcntl(listener, F_SETFL, O_NONBLOCK) == 0 else { throw failure("fcntl") }
            let port = usesIPv6 ? bindIPv6(listener) : bindIPv4(listener)
            guard let port else { throw failure("bind") }
            guard listen(listener, 256) == 0 else { throw failure("listen") }
            return (listener, port)
        } catch {
            closeFile(listener)
            throw error
        }
    }

    /// The last port that was tried, below those that systems choose for connections.
    private static let lastPort = Mutex(UInt16.random(in: ports))
    private static let ports: ClosedRange<UInt16> = 16_384...32_767

    /// Returns the next port to try.
    ///
    /// A port is used again only after all others. A system that chooses ports can choose one that
    /// was just released, where late requests to the former server arrive.
    private static func nextPort() -> UInt16 {
        lastPort.withLock { port in
            port = port < ports.upperBound ? port + 1 : ports.lowerBound
            return port
        }
    }

    /// Binds a socket to a free port; returns `nil` if there's none.
    private static func bindToFreePort(_ bind: (UInt16) -> Bool) -> UInt16? {
        for _ in ports {
            let port = nextPort()
            if bind(port) { return port }
            guard errno == EADDRINUSE else { return nil }
        }
        return nil
    }

    private static func bindIPv4(_ listener: Int32) -> UInt16? {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return bindToFreePort { port in
            address.sin_port = port.bigEndian
            return bindAny(listener, address)
        }
    }

    private static func bindIPv6(_ listener: Int32) -> UInt16? {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        return bindToFreePort { port in
            address.sin6_port = port.bigEndian
            return bindAny(listener, address)
        }
    }

    private static func bindAny<Address>(_ listener: Int32, _ address: Address) -> Bool {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, socklen_t(MemoryLayout<Address>.size)) == 0
            }
        }
    }

    /// Accepts a pending connection as a blocking socket, without send delay (Nagle) and `SIGPIPE`.
    static func acceptOne(_ listener: Int32) -> Accepted {
        let socket = accept(listener, nil, nil)
        guard socket >= 0 else {
            switch errno {
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
            case EBADF, EINVAL, ENOTSOCK, EOPNOTSUPP, EFAULT: return .failed
            default: return .nothing
            }
        }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        var isReady = fcntl(socket, F_SETFL, 0) == 0 && setOption(socket, Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
        #if canImport(Darwin)
        isReady = isReady && setOption(socket, SOL_SOCKET, SO_NOSIGPIPE, Int32(1))
        #endif
        // Options can't be set on a connection that the peer has reset already.
        if !isReady { closeFile(socket) }
        return isReady ? .connection(socket) : .nothing
    }

    // MARK: Moving bytes

    /// Sends all bytes; returns `false` if the connection fails.
    static func sendBytes(_ socket: Int32, _ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { raw in
            var rest = raw[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = send(socket, part.baseAddress, part.count, sendFlags)
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    return false
                }
            }
            return true
        }
    }

    /// Waits for bytes and appends them; returns `false` if the connection has ended.
    static func receiveBytes(_ socket: Int32, appendingTo bytes: inout [UInt8]) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 64 * 1024, alignment: 1) { space in
            while true {
                let count = recv(socket, space.baseAddress, space.count, 0)
                if count > 0 { bytes += space[..<count] }
                if count >= 0 || errno != EINTR { return count > 0 }
            }
        }
    }

    /// Waits for input, a hang-up, or an error; returns which descriptors are ready.
    ///
    /// - Parameters:
    ///   - first: A descriptor; negative ones are ignored.
    ///   - second: Another descriptor.
    ///   - wantsFirst: Whether to wait for input of the first descriptor, too, and not only for a
    ///     hang-up or an error.
    ///   - milliseconds: The longest wait, after which no descriptor is ready; a negative number is
    ///     unlimited.
    static func waitForInput(
        _ first: Int32,
        _ second: Int32 = -1,
        wantsFirst: Bool = true,
        milliseconds: Int32 = -1
    ) -> (first: Bool, second: Bool) {
        var entries = [
            pollfd(fd: first, events: wantsFirst ? Int16(POLLIN) : 0, revents: 0),
            pollfd(fd: second, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&entries, 2, milliseconds) < 0 {
            precondition(errno == EINTR || errno == EAGAIN, "poll failed with errno \(errno)")
        }
        return (entries[0].revents != 0, entries[1].revents != 0)
    }

    /// Makes a pipe readable permanently.
    static func signal(_ pipe: Pipe) {
        var byte: UInt8 = 1
        while write(pipe.writer, &byte, 1) < 0 && errno == EINTR {}
    }

    // MARK: Ending

    /// Ends both directions, which wakes a thread that sends or receives on the socket.
    static func shutDown(_ socket: Int32) {
        _ = shutdown(socket, Int32(SHUT_RDWR))
    }

    static func closeSending(_ socket: Int32) {
        _ = shutdown(socket, Int32(SHUT_WR))
    }

    /// Ends the sending direction, and discards unread bytes, so that closing causes no reset.
    static func finishSending(_ socket: Int32) {
        closeSending(socket)
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { space in
            var budget = 256
            while budget > 0, recv(socket, space.baseAddress, space.count, dontWait) > 0 {
                budget -= 1
            }
        }
    }

    /// Makes closing the socket send a reset and discard unsent bytes.
    static func armReset(_ socket: Int32) {
        _ = setOption(socket, SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
    }

    static func closePipe(_ pipe: Pipe) {
        closeFile(pipe.reader)
        closeFile(pipe.writer)
    }

    static func closeFile(_ descriptor: Int32) {
        // Not repeated after EINTR, because another thread may have opened a file with this
        // descriptor.
        _ = close(descriptor)
    }

    private static func setOption<Value>(_ socket: Int32, _ level: Int32, _ name: Int32, _ value: Value) -> Bool {
        withUnsafeBytes(of: value) {
            setsockopt(socket, level, name, $0.baseAddress, socklen_t($0.count)) == 0
        }
    }

    private static func failure(_ operation: String) -> LoopbackServer.Failure {
        LoopbackServer.Failure(operation: operation, code: errno)
    }
}
