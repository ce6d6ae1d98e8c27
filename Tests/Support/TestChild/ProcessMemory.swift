import Foundation

/// What the system says about this process's memory; on Linux only.
enum ProcessMemory {
    /// The most bytes that were resident at once.
    static var peak: Int? { value(of: "VmHWM:") }

    private static func value(of field: String) -> Int? {
        guard let text = try? String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(field) }),
            let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        return kilobytes * 1024
    }
}
