public import BrowseCoreMocks
public import Foundation

extension ConformanceViolation: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

extension ReplayingTransport.NotReplaying: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
