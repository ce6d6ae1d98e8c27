import Foundation

/// The error when a wait ends before its condition is met.
public struct ConditionNotMet: Error, Hashable, CustomStringConvertible {
    /// Why the wait ended.
    public enum Reason: Hashable, Sendable {
        /// The limit of the wait expired.
        case expired(after: Duration)
        /// The waiting task was canceled.
        case canceled
    }

    /// Why the wait ended.
    public let reason: Reason
    /// The file of the wait, as `Module/File.swift`.
    public let fileID: String
    /// The line of the wait.
    public let line: Int
    /// The source of the wait, which isn't compared; `nil` if it can't be read.
    private var source: String?

    /// Creates an error, to compare with.
    public init(reason: Reason, fileID: String, line: Int) {
        self.reason = reason
        self.fileID = fileID
        self.line = line
    }

    /// Creates an error with the source of the wait, if the file is on this computer.
    init(reason: Reason, fileID: String, filePath: String, line: Int) {
        self.init(reason: reason, fileID: fileID, line: line)
        // A function that passes the line of its caller may be in another file.
        guard let name = fileID.split(separator: "/").last, filePath.hasSuffix("/\(name)"),
            let text = try? String(contentsOfFile: filePath, encoding: .utf8)
        else { return }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        var call = ""
        for line in lines.dropFirst(max(0, line - 1)).prefix(10) {
            call += (call.isEmpty ? "" : " ") + line.trimmingCharacters(in: .whitespaces)
            if call.count(where: { "({".contains($0) }) <= call.count(where: { ")}".contains($0) }) { break }
        }
        source = call
    }

    /// Whether reason and place are the same.
    public static func == (left: ConditionNotMet, right: ConditionNotMet) -> Bool {
        (left.reason, left.fileID, left.line) == (right.reason, right.fileID, right.line)
    }

    /// Hashes the line.
    public func hash(into hasher: inout Hasher) { hasher.combine(line) }

    /// The place and the reason in one line, and the source of the wait.
    public var description: String {
        let end = if case .expired(let limit) = reason { "within \(limit)" } else { "before the task was canceled" }
        return "\(fileID):\(line): the condition wasn't met \(end)\(source.map { ": \($0)" } ?? "")"
    }
}
