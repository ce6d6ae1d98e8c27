#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
// Dispatch declares the types of threads, too.
import CDispatch
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The stack size of a server thread: 1 MiB.
private let stackSize = 1024 * 1024

/// Carries a closure through the C call that starts a thread.
private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
        self.run = run
    }
}

private func runThread(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let raw {
        Unmanaged<ThreadBody>.fromOpaque(raw).takeRetainedValue().run()
    }
    return nil
}

/// Runs the closure on a new detached thread.
func startThread(_ body: @escaping @Sendable () -> Void) throws(LoopbackServer.Failure) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackSize)

    #if canImport(Glibc)
    var thread = pthread_t()
    #else
    var thread: pthread_t?
    #endif
    let raw = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
    let code = pthread_create(&thread, &attributes, { runThread($0) }, raw)
    guard code == 0 else {
        Unmanaged<ThreadBody>.fromOpaque(raw).release()
        throw LoopbackServer.Failure(operation: "pthread_create", code: code)
    }
}

/// A number that identifies the calling thread among all running threads.
func currentThreadID() -> UInt {
    #if canImport(Glibc)
    UInt(pthread_self())
    #else
    UInt(bitPattern: pthread_self())
    #endif
}
