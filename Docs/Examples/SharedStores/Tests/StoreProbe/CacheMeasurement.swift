import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import RedisStores

/// Measures what a cached response costs with each store: `StoreProbe measure HOST:PORT FOLDER`.
///
/// Loads a page of 100 followers from a transport in memory, and then from the cache only. Build it with optimization.
struct CacheMeasurement {
    private static let count = 2_000

    let address: RedisAddress
    let folder: URL

    /// Prints the costs.
    func run() async {
        let redis = RedisResponseStore(RedisClient(address))
        let memory = InMemoryResponseStore()
        say("a page of", FollowerTransport.page.count, "bytes,", Self.count, "reads: median, 99th percentile")
        for (name, store) in [("memory", memory), ("Redis", redis)]
            as [(String, any ResponseStore)]
        {
            await report("record in \(name)") {
                try? await store.response(for: Self.key) != nil
            } prepare: {
                try? await store.store(
                    ResponseRecord(head: Data(count: 1_000), body: FollowerTransport.page),
                    for: Self.key
                )
            }
        }
        for (name, store) in [("no store", nil), ("Redis", redis)]
            as [(String, (any ResponseStore)?)]
        {
            let followers = container(store).followerRepository()
            await report("page with \(name)") {
                await Self.load(followers, .cacheOnly)
            } prepare: {
                _ = await Self.load(followers, .network)
            }
        }
    }

    private static let key = ResponseKey(text: "measured", account: nil)

    private func container(_ store: (any ResponseStore)?) -> Container {
        let container = Container(Configuration(storageFolder: folder))
        container.transport.override { _ in FollowerTransport() }
        container.distributedStores.override { _ in DistributedStores(responses: store) }
        return container
    }

    private static func load(_ followers: any GitHub.FollowerRepository, _ source: LoadOptions.Source) async -> Bool {
        let page = try? await LoadOptions(source: source).load { () throws(BrowseError) in
            try await followers.page(of: .followers(of: GitHub.Login("octocat")), at: nil)
        }
        return page?.value.items.count == 100
    }

    private func report(_ name: String, _ read: () async -> Bool?, prepare: () async -> Void) async {
        await prepare()
        var (times, misses): ([Duration], Int) = ([], 0)
        let clock = ContinuousClock()
        for _ in 0..<Self.count {
            let start = clock.now
            if await read() != true { misses += 1 }
            times.append(start.duration(to: clock.now))
        }
        times.sort()
        func microseconds(_ share: Double) -> Int { Int(times[Int(share * Double(times.count))] / .microseconds(1)) }
        say("\(name):", microseconds(0.5), "µs,", microseconds(0.99), "µs,", misses, "misses")
    }
}

/// A page of followers of the size that GitHub sends.
private struct FollowerTransport: HTTPTransport {
    static let page: Data = {
        let users = (1...100).map { number in
            let urls = ["url", "html_url", "followers_url", "gists_url", "starred_url", "repos_url", "events_url"].map {
                "\"\($0)\": \"https://api.github.com/users/follower-\(number)/\($0){/other_user,owner,repo}\""
            }
            return "{\"login\": \"follower-\(number)\", \"id\": \(number), \"node_id\": \"MDQ6VXNlcjU4MzIzMQ==\", "
                + "\"avatar_url\": \"https://avatars.githubusercontent.com/u/\(number)?v=4\", \"type\": \"User\", "
                + urls.joined(separator: ", ") + ", \"site_admin\": false}"
        }
        return Data("[\(users.joined(separator: ", "))]".utf8)
    }()

    func send(_ request: HTTPRequest) async throws(BrowseError) -> HTTPResponse {
        let headers: HTTPHeaders = ["Content-Type": "application/json; charset=utf-8", "ETag": "\"1\""]
        return HTTPResponse(status: 200, headers: headers, body: Self.page, url: request.url)
    }
}
