import BrowseDomain
import Foundation
import Synchronization

/// What happened, in order, written from any task.
final class Log: Sendable {
    private let lines = Mutex<[String]>([])

    var entries: [String] { lines.withLock { $0 } }

    func add(_ line: String) {
        lines.withLock { $0.append(line) }
    }
}

/// SplitMix64: the same seed gives the same run again.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension GitHub.User {
    static func numbered(_ number: Int) -> GitHub.User {
        GitHub.User(id: ID(rawValue: Int64(number)), login: GitHub.Login("user\(number)"))
    }
}

extension GitHub.UserProfile {
    static func named(_ login: String) -> GitHub.UserProfile {
        GitHub.UserProfile(
            user: GitHub.User(id: GitHub.User.ID(rawValue: 1), login: GitHub.Login(login)),
            memberSince: Date(timeIntervalSince1970: 0)
        )
    }
}

/// The error that a call ends with, or `nil` when it succeeds.
func failure<Value>(_ call: () async throws(BrowseError) -> Value) async -> BrowseError? {
    do throws(BrowseError) {
        _ = try await call()
        return nil
    } catch {
        return error
    }
}
