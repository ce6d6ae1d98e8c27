public import BrowseKit
import Foundation
public import ServerStores

/// Messages between the processes of a server, which Redis neither stores nor repeats.
public struct RedisChannel: ProcessChannel {
    private let client: RedisClient

    init(_ client: RedisClient) {
        self.client = client
    }

    private var topic: String { client.prefix + "messages" }

    /// Sends a message to all processes, this one included.
    ///
    /// - Returns: The number of processes that receive it.
    public func send(_ message: Data) async throws(StorageFailure) -> Int {
        do throws(RedisFailure) {
            let payload = Data("\(topic)\n".utf8) + message
            return Int(
                try await client.send("PUBLISH", client.subscriber.channel, [payload], isRead: true).integer ?? 0
            )
        } catch {
            throw error.storageFailure
        }
    }

    /// The messages of all processes from now on.
    public var messages: AsyncStream<Data> {
        AsyncStream { continuation in
            let end = client.subscriber.subscribe(to: topic) { event in
                if case .changed(let message) = event { continuation.yield(message) }
            }
            continuation.onTermination = { _ in end() }
        }
    }
}
