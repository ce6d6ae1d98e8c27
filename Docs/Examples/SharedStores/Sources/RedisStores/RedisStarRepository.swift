import BrowseKit
import Foundation
import Synchronization

/// Notifies the visitor's other processes of each star that it writes. GitHub stores the stars.
final class RedisStarRepository: GitHub.StarRepository {
    private let remote: any GitHub.StarRepository
    private let client: RedisClient
    private let topic: String
    private let sender = UUID().uuidString
    private let following = Mutex<Task<Void, Never>?>(nil)

    init(_ remote: any GitHub.StarRepository, _ client: RedisClient, visitor: String) {
        (self.remote, self.client) = (remote, client)
        topic = client.key("stars", of: visitor)
    }

    deinit { following.withLock { $0 }?.cancel() }

    /// Runs a closure after stars of other processes; several that arrive before it ends are one.
    func follow(_ onChange: @escaping @Sendable () async -> Void) {
        let task = Task { [changes = client.subscriber.changes(of: topic, except: sender)] in
            for await _ in changes { await onChange() }
        }
        following.withLock { $0 = task }
    }

    func starred(
        receive: nonisolated(nonsending) (Page<GitHub.Repo.ID>) async throws(BrowseError) -> Void
    ) async throws(BrowseError) {
        try await remote.starred(receive: receive)
    }

    func set(_ isStarred: Bool, for repo: GitHub.Repo) async throws(BrowseError) {
        // After a failure, too: GitHub may have made the change, although its response is lost.
        defer { client.enqueue(["PUBLISH", client.subscriber.channel, "\(topic)\n\(sender)"]) }
        try await remote.set(isStarred, for: repo)
    }

    func isStarred(_ repo: GitHub.Repo) async throws(BrowseError) -> Bool { try await remote.isStarred(repo) }

    func current(_ repo: GitHub.Repo) async throws(BrowseError) -> GitHub.Repo? { try await remote.current(repo) }
}
