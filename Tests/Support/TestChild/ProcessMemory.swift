#if os(macOS) || os(Linux)
import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// What the system says about this process; on Linux only.
enum ProcessMemory {
    /// The most bytes that were resident at once.
    static var peak: Int? { value(of: "VmHWM:") }

    /// The bytes that are resident, without what was freed already.
    static var resident: Int? {
        #if canImport(Glibc)
        // Swift's module of glibc leaves it out.
        typealias Trim = @convention(c) (Int) -> Int32
        if let trim = dlsym(nil, "malloc_trim") { _ = unsafeBitCast(trim, to: Trim.self)(0) }
        #endif
        return value(of: "VmRSS:")
    }

    /// Makes all threads share two heaps, so that growth is a leak and not the fragmentation of a heap for every thread.
    static func shareHeaps() {
        #if canImport(Glibc)
        typealias SetOption = @convention(c) (Int32, Int32) -> Int32
        let maximumOfArenas: Int32 = -8
        if let set = dlsym(nil, "mallopt") { _ = unsafeBitCast(set, to: SetOption.self)(maximumOfArenas, 2) }
        #endif
    }

    /// How many files, sockets and pipes are open.
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
