// Declarations of Apple's Darwin module: sockets. From the manual pages of macOS and sys/socket.h.

public typealias socklen_t = UInt32
public typealias sa_family_t = UInt8
public typealias in_port_t = UInt16
public typealias in_addr_t = UInt32
public typealias nfds_t = UInt32

public struct in_addr {
    public var s_addr: in_addr_t
    public init() { fatalError() }
    public init(s_addr: in_addr_t) { fatalError() }
}

public struct sockaddr {
    public var sa_len: UInt8
    public var sa_family: sa_family_t
    public init() { fatalError() }
}

public struct sockaddr_in {
    public var sin_len: UInt8
    public var sin_family: sa_family_t
    public var sin_port: in_port_t
    public var sin_addr: in_addr
    public init() { fatalError() }
}

public struct in6_addr {
    public init() { fatalError() }
}

public struct sockaddr_in6 {
    public var sin6_len: UInt8
    public var sin6_family: sa_family_t
    public var sin6_port: in_port_t
    public var sin6_flowinfo: UInt32
    public var sin6_addr: in6_addr
    public var sin6_scope_id: UInt32
    public init() { fatalError() }
}

public struct pollfd {
    public var fd: Int32
    public var events: Int16
    public var revents: Int16
    public init() { fatalError() }
    public init(fd: Int32, events: Int16, revents: Int16) { fatalError() }
}

public struct linger {
    public var l_onoff: Int32
    public var l_linger: Int32
    public init() { fatalError() }
    public init(l_onoff: Int32, l_linger: Int32) { fatalError() }
}

@discardableResult public func socket(_ domain: Int32, _ type: Int32, _ protocol: Int32) -> Int32 { fatalError() }
@discardableResult public func bind(_ socket: Int32, _ address: UnsafePointer<sockaddr>!, _ length: socklen_t) -> Int32
{ fatalError() }
@discardableResult public func connect(_ socket: Int32, _ address: UnsafePointer<sockaddr>!, _ length: socklen_t)
    -> Int32
{ fatalError() }
@discardableResult public func getsockname(
    _ socket: Int32,
    _ address: UnsafeMutablePointer<sockaddr>!,
    _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 { fatalError() }
@discardableResult public func listen(_ socket: Int32, _ backlog: Int32) -> Int32 { fatalError() }
@discardableResult public func accept(
    _ socket: Int32,
    _ address: UnsafeMutablePointer<sockaddr>!,
    _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 { fatalError() }
@discardableResult public func send(_ socket: Int32, _ bytes: UnsafeRawPointer!, _ count: Int, _ flags: Int32) -> Int {
    fatalError()
}
@discardableResult public func recv(_ socket: Int32, _ bytes: UnsafeMutableRawPointer!, _ count: Int, _ flags: Int32)
    -> Int
{ fatalError() }
@discardableResult public func shutdown(_ socket: Int32, _ how: Int32) -> Int32 { fatalError() }
@discardableResult public func setsockopt(
    _ socket: Int32,
    _ level: Int32,
    _ name: Int32,
    _ value: UnsafeRawPointer!,
    _ length: socklen_t
) -> Int32 { fatalError() }
@discardableResult public func poll(_ entries: UnsafeMutablePointer<pollfd>!, _ count: nfds_t, _ milliseconds: Int32)
    -> Int32
{ fatalError() }

public var AF_INET: Int32 { 2 }
public var AF_INET6: Int32 { 30 }
public var in6addr_loopback: in6_addr { fatalError() }
public var SOCK_STREAM: Int32 { 1 }
public var SOL_SOCKET: Int32 { 0xFFFF }
public var SO_REUSEADDR: Int32 { 0x0004 }
public var SO_LINGER: Int32 { 0x0080 }
public var SO_NOSIGPIPE: Int32 { 0x1022 }
public var IPPROTO_TCP: Int32 { 6 }
public var TCP_NODELAY: Int32 { 1 }
public var MSG_DONTWAIT: Int32 { 0x80 }
public var POLLIN: Int32 { 0x0001 }
public var SHUT_RD: Int32 { 0 }
public var SHUT_WR: Int32 { 1 }
public var SHUT_RDWR: Int32 { 2 }
