import BrowseData
import Foundation
import TestServers
import Testing

/// The requests to GitHub per page view; `MEASURE=1` runs it.
@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: ProcessInfo.processInfo.environment["MEASURE"] != nil))
struct `Requests to GitHub` {
    /// 20 visitors view each of 20 profiles.
    @Test(arguments: [1, 2, 4], [true, false])
    func `are counted`(processCount: Int, isShared: Bool) async throws {
        let gitHub = try GitHubServer()
        let keys = WebsiteKeys()
        let transport = TransportKind.platformDefault.makeTransport()
        let durable = try await RedisServer()
        var (servers, sites): ([RedisServer], [Website]) = ([try await RedisServer()], [])
        for number in 0..<processCount {
            // Without sharing, each process has its own cache.
            if number > 0, !isShared { servers.append(try await RedisServer()) }
            sites.append(try await keys.start(durable, servers[servers.count - 1], gitHub))
        }
        for number in 0..<20 {
            let visitor = WebVisitor(keys, transport)
            for profile in 0..<20 {
                let site = sites[(number + profile) % processCount]
                let page = try await visitor.open("/github/users/user-\(profile)", at: site)
                #expect(page.contentStatus == "ready")
            }
        }
        let views = 20.0 * 20
        print(
            "\(processCount) processes, \(isShared ? "shared" : "separate"):",
            "\(Double(gitHub.count("accepted")) / views) requests per page view,",
            "\(Double(gitHub.count("full")) / views) with a body, \(Double(gitHub.count("unchanged")) / views) unchanged"
        )
    }
}
