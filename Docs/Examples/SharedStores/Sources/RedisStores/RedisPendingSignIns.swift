public import BrowseKit
import Crypto
import Foundation
public import ServerStores

/// The sign-in in progress of one visitor in Redis, encrypted, so that any process can finish it.
public struct RedisPendingSignIns: PendingSignInStore {
    private let client: RedisClient
    private let key: String
    private let secret: SymmetricKey

    init(_ client: RedisClient, visitor: String, secret: SymmetricKey) {
        self.client = client
        self.secret = secret
        key = VisitorKeys(of: visitor, client).pendingSignIn
    }

    /// Returns the sign-in; `nil` if there is none.
    public func load() async throws(StorageFailure) -> PendingSignIn? {
        try await decoded { () throws(RedisFailure) in try await client.send("GET", key, isRead: true) }
    }

    /// Returns the sign-in, and deletes it in the same step, so that one process only finishes it.
    ///
    /// If the reply is lost, the sign-in is, too, and the visitor starts again.
    public func take() async throws(StorageFailure) -> PendingSignIn? {
        try await decoded { () throws(RedisFailure) in try await client.send("GETDEL", key) }
    }

    /// Stores a sign-in until it expires; `nil`, or one that has expired, deletes the stored one.
    public func save(_ signIn: PendingSignIn?) async throws(StorageFailure) {
        let rest = Duration.seconds(signIn?.expiresAt.timeIntervalSinceNow ?? 0)
        let data = signIn.flatMap { try? JSONEncoder().encode($0) }.flatMap { secret.seal($0, for: key) }
        do throws(RedisFailure) {
            if let data, rest > .zero {
                _ = try await client.send("SET", key, [data, Data("PX".utf8), rest.milliseconds])
            } else {
                _ = try await client.send("DEL", key)
            }
        } catch {
            throw error.storageFailure
        }
    }

    private func decoded(
        _ read: () async throws(RedisFailure) -> RedisReply
    ) async throws(StorageFailure) -> PendingSignIn? {
        do throws(RedisFailure) {
            let plain = try await read().data.flatMap { secret.open($0, for: key) }
            return plain.flatMap { try? JSONDecoder().decode(PendingSignIn.self, from: $0) }
        } catch {
            throw error.storageFailure
        }
    }
}
