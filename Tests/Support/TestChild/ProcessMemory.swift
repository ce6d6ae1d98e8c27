#if os(macOS) || os(Linux)
import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// The memory and descriptors of this process; `nil` on platforms other than Linux.
enum ProcessMemory {
    /// The peak resident memory in bytes.
    static var peak: Int? { value(of: "VmHWM:") }

    /// The resident memory in bytes, after returning freed memory to the system.
    static var resident: Int? {
        #if canImport(Glibc)
        // Swift's Glibc module doesn't declare it.
        typealias Trim = @convention(c) (Int) -> Int32
        if let trim = dlsym(nil, "malloc_trim") { _ = unsafeBitCast(trim, to: Trim.self)(0) }
        #endif
        return value(of: "VmRSS:")
    }

    /// Limits malloc to two heaps, so that growth means a leak, not the fragmentation of many heaps.
    static func shareHeaps() {
        #if canImport(Glibc)
        typealias SetOption = @convention(c) (Int32, Int32) -> Int32
        let maximumOfArenas: Int32 = -8
        if let set = dlsym(nil, "mallopt") { _ = unsafeBitCast(set, to: SetOption.self)(maximumOfArenas, 2) }
        #endif
    }

    /// The number of open file descriptors.
    static var descriptors: Int? {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count
    }

    private static func value(of field: String) -> Int? {
        guard let text = try? String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(field) }),
            let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        return kilobytes * 1024
    }
}
#endif
