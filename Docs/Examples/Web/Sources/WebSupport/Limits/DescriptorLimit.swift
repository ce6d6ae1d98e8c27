#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The maximum number of descriptors of this process.
public enum DescriptorLimit {
    /// Raises the limit as far as the system permits, up to 65,536; returns it.
    public static func raise() -> Int {
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 256 }
        let wanted = rlimit(rlim_cur: max(limit.rlim_cur, min(limit.rlim_max, 65_536)), rlim_max: limit.rlim_max)
        return withUnsafePointer(to: wanted) { setrlimit(resource, $0) == 0 }
            ? Int(wanted.rlim_cur) : Int(limit.rlim_cur)
    }
}
