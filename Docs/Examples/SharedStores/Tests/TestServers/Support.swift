public import BrowseKit
public import Crypto
public import RedisStores

extension RedisServer {
    /// Returns a client that waits long enough for a busy machine.
    public func client(timeout: Duration = .seconds(60)) -> RedisClient { RedisClient(address, timeout: timeout) }

    /// Returns stores on this server.
    public func stores(_ secret: SymmetricKey) -> RedisStores { RedisStores(durable: client(), secret: secret) }
}

/// Waits for a condition that another process changes; the suite's time limit ends the wait.
public func eventually(_ condition: () async throws -> Bool) async throws {
    while try await !condition() { try await Task.sleep(for: .milliseconds(10)) }
}

/// Repeats a call until the server is available.
public func untilAvailable<Value>(_ call: () async throws -> Value) async throws -> Value {
    while true {
        do {
            return try await call()
        } catch let error as BrowseError where error == unavailable {
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}

/// A random number generator with a seed (SplitMix64).
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Creates a generator.
    public init(seed: UInt64) { state = seed }

    /// Returns the next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// The error of a store whose server is away.
public let unavailable = BrowseError.storageFailed(StorageFailure(reason: .unavailable, file: "Redis"))
