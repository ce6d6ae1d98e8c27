import BrowseMocks
import TestLimits
import Testing

@Suite(.bounded) struct `A loopback server` {
    @Test func `doesn't use the port of one that was stopped`() throws {
        var ports: Set<UInt16> = []
        for _ in 0..<1_000 {
            let server = try LoopbackServer { _ in LoopbackResponse(status: 204) }
            #expect(ports.insert(server.port).inserted)
            server.stop()
        }
    }
}
