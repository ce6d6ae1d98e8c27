public import BrowseKit
import Crypto
import Foundation
public import ServerStores

/// A value of one visitor in Redis, encrypted, so that any process can go on with it.
///
/// A sign-in in progress is one.
public struct RedisVisitorValue<Value: Codable & Sendable>: VisitorValueStore {
    let client: RedisClient
    let key: String
    let secret: SymmetricKey
    let lifetime: @Sendable (Value) -> Duration

    /// Returns the value; `nil` if there is none.
    public func load() async throws(BrowseError) -> Value? { try await read(["GET", key]) }

    /// Returns the value, and deletes it in the same step, so that one process only gets it.
    ///
    /// If the reply is lost, the value is, too.
    public func take() async throws(BrowseError) -> Value? {
        // `GETDEL`, which servers before 6.2 don't have.
        let script = "local value = redis.call('GET', KEYS[1]); redis.call('DEL', KEYS[1]); return value"
        return try await read(["EVAL", script, "1", key])
    }

    /// Stores a value for its lifetime; `nil`, or one that has expired, deletes the stored one.
    public func save(_ value: Value?) async throws(BrowseError) {
        let rest = value.map(lifetime) ?? .zero
        let data = value.flatMap { try? JSONEncoder().encode($0) }.flatMap { secret.seal($0, for: key) }
        if let data, rest > .zero {
            try await client.send(["SET", key, data, "PX", rest]) { _ in }
        } else {
            try await client.send(["DEL", key]) { _ in }
        }
    }

    private func read(_ command: [any RedisWord]) async throws(BrowseError) -> Value? {
        let data = try await client.send(command, \.data)
        let plain = data.flatMap { secret.open($0, for: key) }
        return plain.flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
    }
}
