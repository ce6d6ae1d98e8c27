import Foundation

/// The processor time of the main thread, which runs the main actor.
///
/// Its growth per second of real time is the main actor's utilization: at 1, view models wait for each other.
public struct MainThreadTime: Sendable {
    #if canImport(Glibc)
    private let clock: clockid_t
    #else
    private let thread: thread_act_t
    #endif

    /// Starts to observe the main thread; `nil` if it doesn't run the main actor.
    ///
    /// On Linux, a program with an asynchronous `main` ends its main thread, and other threads take turns. A synchronous `main`
    /// that runs the main run loop keeps it.
    @MainActor
    public init?() {
        guard Thread.isMainThread else { return nil }
        #if canImport(Glibc)
        var clock = clockid_t()
        let status = pthread_getcpuclockid(pthread_self(), &clock)
        precondition(status == 0, "The main thread exists")
        self.clock = clock
        #else
        thread = pthread_mach_thread_np(pthread_self())
        #endif
    }

    /// The seconds so far. Callable from any thread.
    public var seconds: Double {
        #if canImport(Glibc)
        var time = timespec()
        guard clock_gettime(clock, &time) == 0 else { return .nan }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        #else
        var info = thread_basic_info()
        var count = mach_msg_type_number_t(THREAD_INFO_MAX)
        let status = withUnsafeMutablePointer(to: &info) { pointer in
            pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) { words in
                thread_info(thread, thread_flavor_t(THREAD_BASIC_INFO), words, &count)
            }
        }
        guard status == KERN_SUCCESS else { return .nan }
        let microseconds = info.user_time.microseconds + info.system_time.microseconds
        return Double(info.user_time.seconds + info.system_time.seconds) + Double(microseconds) / 1e6
        #endif
    }
}
