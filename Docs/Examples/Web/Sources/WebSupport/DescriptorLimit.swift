import Foundation

/// The maximum number of descriptors of this process.
public enum DescriptorLimit {
    /// Raises the limit as far as the system permits, up to 65,536: each stream takes one.
    public static func raise() {
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 65_536))
        _ = setrlimit(resource, &limit)
    }
}
