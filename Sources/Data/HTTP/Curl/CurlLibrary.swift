#if canImport(Glibc) && canImport(CBrowseCurl)
import CBrowseCurl
import Glibc
import Synchronization

/// The process-wide state of libcurl.
enum CurlLibrary {
    /// Whether libcurl is initialized; the first use initializes it.
    static let isReady: Bool = {
        guard browse_curl_global_init() == CURLE_OK else { return false }
        // After libcurl's initialization, and so before the exit handlers of its TLS library.
        return atexit { CurlLibrary.stopLoops() } == 0
    }()

    /// The content encodings to accept: those that browsers accept, where libcurl has them.
    static let acceptedEncodings: String = {
        let features = browse_curl_version().pointee.features
        return features & browse_curl_has_brotli != 0 ? "gzip, deflate, br" : "gzip, deflate"
    }()

    /// Whether libcurl sends the reset of an HTTP/2 stream only with something else on its connection, which may be never.
    static let delaysResets = (0x075800..<0x080100).contains(browse_curl_version().pointee.version_num)

    private struct Loops {
        var lastID = 0
        /// The descriptors that wake the running loops, by number.
        var wakeups: [Int: Int32] = [:]
    }

    private static let loops = Mutex(Loops())
    private static let isExiting = Atomic(false)
    private static let process = getpid()

    /// Registers a loop that runs, and returns its number.
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

    /// Stops the calling loop for good if the process exits.
    ///
    /// The TLS library's exit handlers free what a loop uses, so a loop in use of it would crash; one that cleans up would, too.
    static func parkIfExiting(_ id: Int) {
        guard isExiting.load(ordering: .acquiring) else { return }
        unregister(id)
        while true { pause() }
    }

    /// Waits until all loops are parked, at most half a second.
    private static func stopLoops() {
        // A forked child has no loops, only the list of its parent's.
        guard getpid() == process else { return }
        isExiting.store(true, ordering: .releasing)
        loops.withLock { loops in
            for wakeup in loops.wakeups.values { browse_event_signal(wakeup) }
        }
        for _ in 0..<500 where loops.withLock({ !$0.wakeups.isEmpty }) { usleep(1000) }
    }
}
#endif
