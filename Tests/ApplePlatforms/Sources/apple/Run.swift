import Foundation

/// Runs a program, and returns its exit status and output.
///
/// - Parameter includesErrors: Whether to include standard error, which is otherwise passed through.
func output(of words: [String], includesErrors: Bool = true) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    let pipe = Pipe()
    process.standardOutput = pipe
    if includesErrors { process.standardError = pipe }
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
}

/// Runs a program that must succeed, and returns its output.
@discardableResult
func run(_ words: [String]) throws -> String {
    let (status, text) = try output(of: words)
    guard status == 0 else { throw Failure(words.joined(separator: " ") + "\n" + text) }
    return text
}

/// Limits the number of concurrent programs.
actor Limit {
    private var free: Int
    private var waiters: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = max(1, count) }

    func callAsFunction<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        if free > 0 { free -= 1 } else { await withCheckedContinuation { waiters.append($0) } }
        defer { if waiters.isEmpty { free += 1 } else { waiters.removeFirst().resume() } }
        return try await Task.detached { try body() }.value
    }
}

/// Returns a hash that is the same in every run (Fowler, Noll, and Vo's FNV-1a, 64 bits).
func fingerprint(_ parts: some Sequence<Data>) -> String {
    var sum: UInt64 = 0xCBF2_9CE4_8422_2325
    for part in parts {
        part.withUnsafeBytes { for byte in $0 { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 } }
        sum = (sum ^ UInt64(part.count)) &* 0x100_0000_01B3
    }
    return String(sum, radix: 36)
}

/// Returns a compiled module without the hashes of its files.
///
/// The compiler writes them, and they change with the bodies of functions.
func interface(of module: Data) -> Data {
    var bytes = [UInt8](module)
    var start = 0
    for end in 0...bytes.count {
        if end < bytes.count, (48...57).contains(bytes[end]) || (97...102).contains(bytes[end]) { continue }
        // 128 bits, in hexadecimal digits.
        if end - start == 32 { bytes.replaceSubrange(start..<end, with: repeatElement(48, count: 32)) }
        start = end + 1
    }
    return Data(bytes)
}
