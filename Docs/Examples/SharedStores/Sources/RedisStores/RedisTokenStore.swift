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
    private let keys: VisitorKeys
    private let lockKey: String
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
        keys = VisitorKeys(of: visitor, client)
        lockKey = client.prefix + "refresh:" + visitor
        coder = CredentialsCoder(name: session)
        self.secret = secret
        self.lease = lease
        self.clock = clock
    }

    /// Reads the stored credentials; `nil` if there are none.
    ///
    /// - Throws: `.storageFailed` with the reason `.unavailable`, or `.damaged` if another key encrypted them.
    public func load() async throws(BrowseError) -> Credentials? {
        let data: Data?
        do throws(RedisFailure) { data = try await client.send("GET", keys.token, isRead: true).data } catch {
            throw error.browseError
        }
        return try decode(data).get()
    }

    /// Reads and changes the stored credentials.
    public func update(
        _ change: @Sendable (Result<Credentials?, BrowseError>) -> TokenChange
    ) async throws(BrowseError) {
        var failure: BrowseError?
        do throws(RedisFailure) {
            try await client.update(keys.token, with: keys.all, lifetime: VisitorKeys.lifetime, notifies: true) {
                data in
                failure = nil
                switch change(decode(data)) {
                case .keep: return .keep
                case .delete: return .delete
                case .store(let credentials):
                    do throws(StorageFailure.Reason) {
                        return .set(try encode(credentials))
                    } catch {
                        failure = .storageFailed(StorageFailure(reason: error, file: "Redis"))
                        return .keep
                    }
                }
            }
        } catch {
            throw error.browseError
        }
        if let failure { throw failure }
    }

    /// Reports changes by any process, and that the server is available again.
    public var changes: AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let end = client.subscriber.subscribe(to: keys.token) { _ in continuation.yield() }
            continuation.onTermination = { _ in end() }
        }
    }

    private func encode(_ credentials: Credentials) throws(StorageFailure.Reason) -> Data {
        guard let sealed = secret.seal(try coder.encode(credentials), for: keys.token) else { throw .notEncodable }
        return sealed
    }

    private func decode(_ data: Data?) -> Result<Credentials?, BrowseError> {
        guard let data else { return .success(nil) }
        do throws(StorageFailure.Reason) {
            guard let plain = secret.open(data, for: keys.token) else { throw .damaged }
            return .success(try coder.decode(plain))
        } catch {
            return .failure(.storageFailed(StorageFailure(reason: error, file: "Redis")))
        }
    }
}

extension RedisTokenStore {
    /// Takes the lease; repeated by the owner after a lost reply, it has the same result.
    private static let take = """
        if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 1 end
        return redis.call('GET', KEYS[1]) == ARGV[1] and 1 or 0
        """
    private static let release = """
        if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
        return 1
        """

    /// Takes the visitor's lease; `nil` if another process or store has it.
    public func refreshLock() async throws(BrowseError) -> RefreshLock? {
        let owner = Data(UUID().uuidString.utf8)
        let milliseconds = lease.milliseconds
        do throws(RedisFailure) {
            let reply = try await client.run(Self.take, keys: [lockKey], [owner, milliseconds])
            guard reply == .integer(1) else { return nil }
        } catch {
            throw error.browseError
        }
        let connection = client.connection
        let lock = RefreshLock { [lockKey] in
            // In order with the commands after it, so that the lock can be taken again at once.
            connection.enqueue { session throws(RedisFailure) in
                _ = try session.run(Self.release, keys: [lockKey], [owner])
            }
        }
        Task { [weak lock, lease, clock] in
            try? await clock.sleep(for: lease)
            lock?.release()
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
