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

    /// Creates an error, to compare with.
    public init(reason: Reason, fileID: String, line: Int) {
        self.reason = reason
        self.fileID = fileID
        self.line = line
    }

    /// The place and the reason in one line.
    public var description: String {
        switch reason {
        case .expired(let duration): "\(fileID):\(line): the condition wasn't met within \(duration)"
        case .canceled: "\(fileID):\(line): the condition wasn't met before the task was canceled"
        }
    }
}
