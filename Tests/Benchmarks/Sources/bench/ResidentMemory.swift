import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// Returns the resident memory of this process in bytes; 0 on platforms other than Linux.
///
/// - Parameter isTrimmed: Whether freed memory is returned to the system first, which takes milliseconds.
func residentBytes(isTrimmed: Bool = false) -> Int {
    #if canImport(Glibc)
    // Swift's Glibc module doesn't declare it.
    typealias Trim = @convention(c) (Int) -> Int32
    if isTrimmed, let trim = dlsym(nil, "malloc_trim") { _ = unsafeBitCast(trim, to: Trim.self)(0) }
    #endif
    guard let text = try? String(contentsOf: URL(filePath: "/proc/self/statm"), encoding: .utf8),
        let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return 0 }
    return pages * Int(getpagesize())
}

/// Returns the maximum of the resident memory in bytes since the last reset; 0 except on Linux.
func peakResidentBytes() -> Int {
    let status = (try? String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
}

/// Lets ``peakResidentBytes()`` begin again.
func resetPeakMemory() {
    try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
}
