import BrowseKit
import Foundation

/// Notifies the visitor's other processes of each star that it writes. GitHub stores the stars.
final class RedisStarRepository: GitHub.StarRepository {
    /// Stars of other processes; several that arrive before one is handled are one.
    let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation
    private let remote: any GitHub.StarRepository
    private let client: RedisClient
    private let message: Data
    private let endSubscription: @Sendable () -> Void

    init(_ remote: any GitHub.StarRepository, _ client: RedisClient, visitor: String) {
        (self.remote, self.client) = (remote, client)
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (key, sender) = ("\(client.prefix)stars:\(visitor)", Data(UUID().uuidString.utf8))
        message = Data("\(key)\n".utf8) + sender
        endSubscription = client.subscriber.subscribe(to: key) { [change] event in
            if case .changed(let other) = event, other != sender { change.yield() }
        }
    }

    deinit {
        endSubscription()
        change.finish()
    }

    func starred(
        receive: nonisolated(nonsending) (Page<GitHub.Repo.ID>) async throws(BrowseError) -> Void
    ) async throws(BrowseError) {
        try await remote.starred(receive: receive)
    }

    func set(_ isStarred: Bool, for repo: GitHub.Repo) async throws(BrowseError) {
        try await remote.set(isStarred, for: repo)
        client.connection.enqueue { [client, message] session throws(RedisFailure) in
            _ = try session.send([Data("PUBLISH".utf8), Data(client.subscriber.channel.utf8), message])
        }
    }

    func isStarred(_ repo: GitHub.Repo) async throws(BrowseError) -> Bool { try await remote.isStarred(repo) }
}
