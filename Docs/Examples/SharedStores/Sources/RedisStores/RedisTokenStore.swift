public import BrowseData
public import BrowseKit
public import Crypto
import Foundation

/// The credentials of one visitor in Redis, encrypted.
///
/// Updates use optimistic concurrency. Changes are reported to all processes. The refresh lock is a lease, which is longer than a
/// refresh may take. A process that lost it finds the token that another one has stored.
public struct RedisTokenStore: TokenStore {
    private let client: RedisClient
    /// The key of the visitor's values, one of which are the credentials.
    private let key: String
    private let lockKey: String
    private let topic: String
    private let coder: CredentialsCoder
    private let secret: SymmetricKey
    private let lease: Duration
    private let clock: any Clock<Duration>

    /// Creates a store without accessing the server.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - visitor: The identifier of the visitor, the same in all processes.
    ///   - session: The name of the session that the credentials are for; a visitor has one.
    ///   - secret: The key that encrypts credentials, the same in all processes.
    ///   - lease: The time after which a refresh lock is free if its holder hasn't released it.
    ///   - clock: Measures the lease.
    public init(
        _ client: RedisClient,
        visitor: String,
        session: SessionName,
        secret: SymmetricKey,
        lease: Duration = .seconds(90),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.client = client
        key = client.key(of: visitor)
        lockKey = client.key("refresh", of: visitor)
        topic = client.key("token", of: visitor)
        coder = CredentialsCoder(name: session)
        self.secret = secret
        self.lease = lease
        self.clock = clock
    }

    /// Reads the stored credentials; `nil` if there are none.
    ///
    /// - Throws: `.storageFailed` with the reason `.unavailable`, or `.damaged` if another key encrypted them.
    public func load() async throws(BrowseError) -> Credentials? { try decode(try await stored()).get() }

    /// Reads and changes the stored credentials.
    public func update(
        _ change: @Sendable (Result<Credentials?, BrowseError>) -> TokenChange
    ) async throws(BrowseError) {
        while true {
            let old = try await stored()
            // Stored values are never empty.
            var new = Data()
            switch change(decode(old)) {
            case .keep: return
            case .delete: if old == nil { return }
            case .store(let credentials): new = try encode(credentials)
            }
            let words: [any RedisWord] = [
                "EVAL", Self.replace, "1", key, old ?? Data(), new, RedisClient.lifetime, client.subscriber.channel,
                topic,
            ]
            if try await client.send(words, { $0 == .integer(1) }) { return }
        }
    }

    /// Reports changes by any process, and that the server is available again.
    ///
    /// While a refresh lock is held, it reports every five seconds.
    public var changes: AsyncStream<Void> { client.subscriber.changes(of: topic) }

    private func stored() async throws(BrowseError) -> Data? { try await client.send(["HGET", key, "token"], \.data) }

    private func encode(_ credentials: Credentials) throws(BrowseError) -> Data {
        do throws(StorageFailure.Reason) {
            guard let sealed = secret.seal(try coder.encode(credentials), for: key) else { throw .notEncodable }
            return sealed
        } catch {
            throw .redis(error)
        }
    }

    private func decode(_ data: Data?) -> Result<Credentials?, BrowseError> {
        guard let data else { return .success(nil) }
        do throws(StorageFailure.Reason) {
            guard let plain = secret.open(data, for: key) else { throw .damaged }
            return .success(try coder.decode(plain))
        } catch {
            return .failure(.redis(error))
        }
    }
}

extension RedisTokenStore {
    /// Replaces the credentials if they haven't changed, and notifies subscribers, if the user may.
    ///
    /// All values of the visitor live longer. Arguments: former and new credentials, lifetime, channel, topic.
    private static let replace = """
        if (redis.call('HGET', KEYS[1], 'token') or '') ~= ARGV[1] then return 0 end
        if ARGV[2] == '' then
            redis.call('HDEL', KEYS[1], 'token')
        else
            redis.call('HSET', KEYS[1], 'token', ARGV[2])
            redis.call('PEXPIRE', KEYS[1], ARGV[3])
        end
        redis.pcall('PUBLISH', ARGV[4], ARGV[5])
        return 1
        """
    /// Takes the lease; repeated by the owner after a lost reply, it has the same result.
    private static let take = """
        if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
        return redis.call('GET', KEYS[1]) == ARGV[1] and 1 or 0
        """
    private static let release = "return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('DEL', KEYS[1]) or 0"

    /// Takes the visitor's lease; `nil` if another process or store has it.
    public func refreshLock() async throws(BrowseError) -> RefreshLock? {
        let owner = UUID().uuidString
        let words: [any RedisWord] = ["EVAL", Self.take, "1", lockKey, owner, lease]
        let release = { @Sendable [client, lockKey] in
            // In order with the commands after it, so that the lock can be taken again at once.
            client.enqueue(["EVAL", Self.release, "1", lockKey, owner])
        }
        do throws(BrowseError) {
            guard try await client.send(words, { $0 == .integer(1) }) else { return nil }
        } catch {
            // The lease may have been taken without a reply. Redis isn't accessed for half a second after a failure.
            Task { [clock] in
                try? await clock.sleep(for: .seconds(1))
                release()
            }
            throw error
        }
        let lock = RefreshLock(release: release)
        Task { [weak lock, lease, clock] in
            try? await clock.sleep(for: lease)
            lock?.release()
        }
        Task { [weak lock, client, topic, clock] in
            // A refresh holds it for longer if it couldn't store the token, and tries again after each report. Without one, another
            // process would use the old refresh token after the lease, and the session would end.
            while (try? await clock.sleep(for: .seconds(5))) != nil, lock?.isHeld == true {
                client.subscriber.report(topic)
            }
        }
        return lock
    }
}

extension SymmetricKey {
    /// Encrypts the value of a key; `nil` if that fails.
    ///
    /// The key is authenticated too, so that one visitor's value can't be copied to another.
    func seal(_ data: Data, for key: String) -> Data? {
        try? AES.GCM.seal(data, using: self, authenticating: Data(key.utf8)).combined
    }

    /// Decrypts the value of a key; `nil` if it's the value of another key, or damaged.
    func open(_ data: Data, for key: String) -> Data? {
        guard let box = try? AES.GCM.SealedBox(combined: data) else { return nil }
        return try? AES.GCM.open(box, using: self, authenticating: Data(key.utf8))
    }
}
