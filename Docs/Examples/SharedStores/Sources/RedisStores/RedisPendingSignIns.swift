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
        key = client.key("sign-in", of: visitor)
    }

    /// Returns the sign-in; `nil` if there is none.
    public func load() async throws(BrowseError) -> PendingSignIn? { try await read("GET") }

    /// Returns the sign-in, and deletes it in the same step, so that one process only finishes it.
    ///
    /// If the reply is lost, the sign-in is, too, and the visitor starts again.
    public func take() async throws(BrowseError) -> PendingSignIn? { try await read("GETDEL") }

    /// Stores a sign-in until it expires; `nil`, or one that has expired, deletes the stored one.
    public func save(_ signIn: PendingSignIn?) async throws(BrowseError) {
        let rest = Duration.seconds(signIn?.expiresAt.timeIntervalSinceNow ?? 0)
        let data = signIn.flatMap { try? JSONEncoder().encode($0) }.flatMap { secret.seal($0, for: key) }
        if let data, rest > .zero {
            try await client.send(["SET", key, data, "PX", rest]) { _ in }
        } else {
            try await client.send(["DEL", key]) { _ in }
        }
    }

    private func read(_ command: String) async throws(BrowseError) -> PendingSignIn? {
        let data = try await client.send([command, key], \.data)
        let plain = data.flatMap { secret.open($0, for: key) }
        return plain.flatMap { try? JSONDecoder().decode(PendingSignIn.self, from: $0) }
    }
}
