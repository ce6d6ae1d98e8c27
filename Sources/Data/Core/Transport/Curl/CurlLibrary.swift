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
        // Registered after libcurl's initialization, so it runs before the exit handlers of the TLS
        // library.
        return atexit { CurlLibrary.stopLoops() } == 0
    }()

    /// Whether libcurl delays the reset of an HTTP/2 stream until it sends other data on the
    /// connection.
    static let delaysResets = (0x075800..<0x080100).contains(browse_curl_version().pointee.version_num)

    /// Whether OpenSSL reads ahead, so that `poll` doesn't see what follows a response.
    ///
    /// Source: curl's pull request 17548.
    static let readsAhead = browse_curl_version().pointee.version_num >= 0x080F00

    /// The descriptors that wake the running loops.
    private static let wakeups = Mutex<Set<Int32>>([])
    private static let isStopping = Atomic(false)
    private static let process = getpid()

    /// Registers a running loop.
    static func register(wakeup: Int32) { wakeups.withLock { _ = $0.insert(wakeup) } }

    /// Unregisters a loop, before its descriptor is closed.
    static func unregister(wakeup: Int32) { wakeups.withLock { _ = $0.remove(wakeup) } }

    /// Suspends the calling loop forever if the process is exiting.
    ///
    /// The TLS library's exit handlers free memory that loops use, so a loop that continues, or
    /// cleans up, would crash.
    static func parkIfExiting(wakeup: Int32) {
        guard isStopping.load(ordering: .acquiring) else { return }
        unregister(wakeup: wakeup)
        while true { pause() }
    }

    /// Waits up to half a second until all loops are suspended.
    private static func stopLoops() {
        // A forked child has a copy of the list, but not the loops.
        guard getpid() == process else { return }
        isStopping.store(true, ordering: .releasing)
        wakeups.withLock { wakeups in
            for wakeup in wakeups { browse_event_signal(wakeup) }
        }
        for _ in 0..<500 where wakeups.withLock({ !$0.isEmpty }) { usleep(1000) }
    }
}
#endif
