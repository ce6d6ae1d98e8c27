#if canImport(Glibc) && canImport(CBrowseCurl)
import CBrowseCurl
import Dispatch
import Glibc

/// Starts threads for loops.
enum CurlThread {
    /// A failure to create a thread or descriptor.
    struct Failure: Error {
        /// The value of `errno`.
        let code: Int32
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Runs a closure on a new thread with all signals blocked.
    ///
    /// The process's signals are delivered to other threads, and a write to a closed connection doesn't raise SIGPIPE.
    static func start(_ run: @escaping @Sendable () -> Void) throws(Failure) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))

        var all = sigset_t()
        var previous = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }

        let body = Unmanaged.passRetained(Body(run: run))
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            &attributes,
            { raw in
                browse_name_thread("BrowseKit.curl")
                if let raw { Unmanaged<Body>.fromOpaque(raw).takeRetainedValue().run() }
                return nil
            },
            body.toOpaque()
        )
        guard code == 0 else {
            body.release()
            throw Failure(code: code)
        }
    }
}
#endif
