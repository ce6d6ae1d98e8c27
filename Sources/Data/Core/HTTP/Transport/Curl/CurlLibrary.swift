#if canImport(Glibc) && canImport(CBrowseCurl)
import CBrowseCurl
import Glibc
import Synchronization

/// The process-wide state of libcurl.
package enum CurlLibrary {
    /// Whether libcurl is initialized; the first use initializes it.
    static let isReady: Bool = {
        // Read before the process can fork, since the child would read its own.
        _ = process
        guard browse_curl_global_init() == CURLE_OK else { return false }
        // Registered after libcurl's initialization, so it runs before the exit handlers of the TLS library.
        return atexit { CurlLibrary.stopLoops() } == 0
    }()

    /// Whether libcurl delays the reset of an HTTP/2 stream until it sends other data on the connection.
    static let delaysResets = (0x075800..<0x080100).contains(browse_curl_version().pointee.version_num)

    private struct Loops {
        var lastID = 0
        /// The descriptors that wake the running loops, by ID.
        var wakeups: [Int: Int32] = [:]
    }

    private static let loops = Mutex(Loops())
    private static let isStopping = Atomic(false)
    private static let process = getpid()

    /// Whether the process is exiting, and its loops are being suspended.
    package static var isExiting: Bool { isStopping.load(ordering: .acquiring) }

    /// Registers a running loop, and returns its ID.
    static func register(wakeup: Int32) -> Int {
        loops.withLock { loops in
            loops.lastID += 1
            loops.wakeups[loops.lastID] = wakeup
            return loops.lastID
        }
    }

    /// Unregisters a loop, before its descriptor is closed.
    static func unregister(_ id: Int) {
        loops.withLock { _ = $0.wakeups.removeValue(forKey: id) }
    }

    /// Suspends the calling loop forever if the process is exiting.
    ///
    /// The TLS library's exit handlers free memory that loops use, so a loop that continues, or cleans up, would crash.
    static func parkIfExiting(_ id: Int) {
        guard isExiting else { return }
        unregister(id)
        while true { pause() }
    }

    /// Waits up to half a second until all loops are suspended.
    private static func stopLoops() {
        // A forked child has a copy of the list, but not the loops.
        guard getpid() == process else { return }
        isStopping.store(true, ordering: .releasing)
        loops.withLock { loops in
            for wakeup in loops.wakeups.values { browse_event_signal(wakeup) }
        }
        for _ in 0..<500 where loops.withLock({ !$0.wakeups.isEmpty }) { usleep(1000) }
    }
}
#endif
