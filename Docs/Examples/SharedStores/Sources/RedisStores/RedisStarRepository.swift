public import BrowseKit
import Foundation
import Synchronization

/// A repository of stars that notifies the visitor's other processes of each star it has written.
///
/// GitHub stores the stars. Other processes read the starred list again, so that their open pages show the change.
public struct RedisStarRepository: GitHub.StarRepository {
    private let repository: any GitHub.StarRepository
    private let client: RedisClient
    private let key: String

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - repository: Reads and writes the stars.
    ///   - client: The client.
    ///   - visitor: The identifier of the visitor, the same in all processes.
    public init(_ repository: any GitHub.StarRepository, _ client: RedisClient, visitor: String) {
        self.repository = repository
        self.client = client
        key = Self.key(visitor, client)
    }

    /// Reads all pages of the starred list.
    public func starred(
        receive: nonisolated(nonsending) (Page<GitHub.Repo.ID>) async throws(BrowseError) -> Void
    ) async throws(BrowseError) {
        try await repository.starred(receive: receive)
    }

    /// Stars or unstars a code repository, and then notifies other processes.
    public func set(_ isStarred: Bool, for repo: GitHub.Repo) async throws(BrowseError) {
        try await repository.set(isStarred, for: repo)
        client.connection(for: key).enqueue { [client, key] session throws(RedisFailure) in
            let message = Data("\(key)\n\(client.subscriber.id)".utf8)
            _ = try session.send([Data("PUBLISH".utf8), Data(client.subscriber.channel.utf8), message])
        }
    }

    /// Returns whether a code repository is starred.
    public func isStarred(_ repo: GitHub.Repo) async throws(BrowseError) -> Bool {
        try await repository.isStarred(repo)
    }

    /// Reads the stars of a session again after each star that another process has written.
    ///
    /// They are read again after a lost connection too, since notifications may have been missed. All visitors lose it at once,
    /// so each waits for a random part of half a minute.
    ///
    /// - Returns: Ends that.
    public static func follow(
        _ client: RedisClient,
        visitor: String,
        _ session: GitHub.SessionManager,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> @Sendable () -> Void {
        let own = Data("\(client.subscriber.id)".utf8)
        let reload = Reload()
        return client.subscriber.subscribe(to: key(visitor, client)) { [weak session] event in
            guard let session, reload.isNeeded(after: event, own: own) else { return }
            Task { [weak session] in
                if event == .connected { try? await clock.sleep(for: .seconds(.random(in: 0..<30))) }
                guard let session else { return }
                repeat { await session.reloadContent() } while reload.isNeededAgain()
            }
        }
    }

    private static func key(_ visitor: String, _ client: RedisClient) -> String { client.prefix + "stars:" + visitor }
}

/// Runs one reload at a time, and another one for notifications that arrive meanwhile.
private final class Reload: Sendable {
    private let state = Mutex((wasConnected: false, isRunning: false, isNeeded: false))

    func isNeeded(after event: RedisSubscriber.Event, own: Data) -> Bool {
        state.withLock { state in
            switch event {
            case .connected:
                defer { state.wasConnected = true }
                guard state.wasConnected else { return false }
            case .changed(let sender):
                guard sender != own else { return false }
            }
            guard !state.isRunning else {
                state.isNeeded = true
                return false
            }
            state.isRunning = true
            return true
        }
    }

    func isNeededAgain() -> Bool {
        state.withLock { state in
            defer { state.isNeeded = false }
            state.isRunning = state.isNeeded
            return state.isNeeded
        }
    }
}
