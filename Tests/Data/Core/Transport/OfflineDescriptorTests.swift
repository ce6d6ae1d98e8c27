#if os(Linux) || os(macOS)
import TestLimits
import Testing

@Suite(.bounded)
struct OfflineDescriptorTests {
    /// In a process of its own, because tests that run at the same time open files and sockets.
    @Test func `Idle offline containers hold no file descriptors`() async throws {
        #expect(try await ChildProcess("offline").finished() == ["200 containers, 0 descriptors"])
    }
}
#endif
