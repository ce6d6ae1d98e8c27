public import Foundation

/// Messages between the processes of a server, which are neither stored nor repeated.
public protocol ProcessChannel: Sendable {
    /// Sends a message to all processes, this one included; returns how many receive it.
    func send(_ message: Data) async throws -> Int
    /// The messages of all processes from now on.
    var messages: AsyncStream<Data> { get }
}
