public import Foundation

// Foundation shows these texts for any error, such as one that ends a program.

extension Fixtures.Missing: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

extension Fixtures.Unreadable: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

extension ContainerSlots.Unreadable: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

extension LoopbackServer.Failure: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

extension ScriptedServer.Mismatch: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

extension ConditionNotMet: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

extension ReplayingTransport.Mismatch: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}

extension Recording.Unreadable: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
