import NIOCore
import Synchronization

/// The part of a server that its connections share.
final class ServerCore: Sendable {
    private struct State {
        var channels: [Int: any Channel] = [:]
        var connections = 0
        var isStopped = false
    }

    let options: TLSServer.Options
    let log = ServerLog()
    let respond: @Sendable (TLSServer.Request) -> TLSResponse
    private let state = Mutex(State())

    init(options: TLSServer.Options, respond: @escaping @Sendable (TLSServer.Request) -> TLSResponse) {
        self.options = options
        self.respond = respond
    }

    func open(_ channel: any Channel) -> Connection {
        let index = state.withLock { state in
            defer { state.connections += 1 }
            if state.isStopped { channel.close(promise: nil) } else { state.channels[state.connections] = channel }
            return state.connections
        }
        log.record(.connected(index))
        channel.closeFuture.whenComplete { _ in
            _ = self.state.withLock { $0.channels.removeValue(forKey: index) }
            self.log.record(.disconnected(index))
        }
        return Connection(core: self, index: index)
    }

    func stop() {
        let channels = state.withLock { state in
            state.isStopped = true
            return state.channels.values
        }
        for channel in channels { channel.close(promise: nil) }
    }
}
