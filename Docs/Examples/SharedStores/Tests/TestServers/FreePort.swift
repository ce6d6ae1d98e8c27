import Foundation
import Synchronization

/// The port that was returned last.
private let last = Mutex(UInt16.random(in: 10_000..<16_000))

/// Returns a port that no process uses, a different one each time.
///
/// It's below those that systems and the mocks' servers choose, so that no connection or server of another test takes
/// it before the server starts, or while it's stopped.
public func freePort() throws -> UInt16 {
    for _ in 0..<100 {
        let port = last.withLock { last in
            last = last < 16_000 ? last + 1 : 10_000
            return last
        }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        let isFree = withLocalAddress(port) { bind(descriptor, $0, $1) } == 0
        if isFree { return port }
    }
    throw NoFreePort()
}

/// Calls a function such as `bind` with the address of a port of this machine.
func withLocalAddress<Result>(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            body(address, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}

/// A server that accepts connections, and never responds.
public final class SilentServer: Sendable {
    private let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)

    /// Listens on a port of this machine.
    public init(on port: UInt16) throws {
        guard withLocalAddress(port, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, 1_024) == 0 else {
            throw NoFreePort()
        }
    }

    deinit { close(descriptor) }
}

private struct NoFreePort: Error {}
