import Foundation

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
        let current = limit.rlim_cur
        limit.rlim_cur = max(current, min(limit.rlim_max, 65_536))
        // It may be unlimited.
        return Int(min(setrlimit(resource, &limit) == 0 ? limit.rlim_cur : current, 1 << 20))
    }
}
