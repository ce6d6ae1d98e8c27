import BrowseData
import BrowseDomain
import Foundation
import Testing

// Set the environment variable BROWSEKIT_CORPUS to a folder of recorded replies (see `Corpus`) to run these; without it
// they are skipped.
@Suite("Recorded replies", .enabled(if: Corpus.folder != nil, "BROWSEKIT_CORPUS is not set"))
struct CorpusTests {
    @Test(
        "of lists become pages without a skipped row, with every row and the next page",
        arguments: ["users_followers", "users_following"]
    )
    func lists(kind: String) async throws {
        let replies = try Corpus.replies(of: kind)
        #expect(replies.count >= 4)
        for reply in replies {
            let followers = RemoteFollowerRepository(client: try Corpus.client(for: reply))
            let page = try await followers.page(of: .followers(of: .init("x")), at: nil)
            let rows = try #require(reply.object as? [[String: Any]], "\(reply.name)")
            #expect(!rows.isEmpty)
            #expect(page.skipped.isEmpty)
            #expect(page.items.map(\.login.rawValue) == rows.map { $0["login"] as? String })
            #expect(page.items.map(\.id.rawValue) == rows.map { ($0["id"] as? NSNumber)?.int64Value })
            #expect(page.items.map(\.avatar?.rawValue) == rows.map { $0["avatar_url"] as? String })
            #expect(page.items.map(\.webPage?.rawValue) == rows.map { $0["html_url"] as? String })
            #expect(page.items.map(\.kind.rawValue) == rows.map { $0["type"] as? String ?? "User" })
            #expect(page.items.allSatisfy { $0.avatar == nil || $0.avatar?.url != nil })
            #expect(page.next?.rawValue == Self.target(of: "next", in: reply.headers["Link"]), "\(reply.name)")
        }
        #expect(replies.contains { $0.headers["Link"] != nil })
    }

    /// Enough of a parser for the links in the recordings.
    private static func target(of relation: String, in header: String?) -> String? {
        header?.components(separatedBy: ", ")
            .first { $0.hasSuffix("; rel=\"\(relation)\"") }
            .map { String($0.dropFirst().prefix { $0 != ">" }) }
    }

    @Test("of profiles become profiles, field by field, or the right error")
    func profiles() async throws {
        let replies = try Corpus.replies(of: "users_get")
        #expect(replies.count >= 32)
        for reply in replies {
            let users = RemoteUserRepository(client: try Corpus.client(for: reply))
            do throws(BrowseError) {
                let profile = try await users.profile(of: .init("x"))
                expectEqual(profile, reply)
            } catch {
                let reason: BrowseError.UnusableReply = reply.status == 304 ? .status : .empty
                let info = try #require(error.request)
                #expect(error == .unusableReply(reason, info), "\(reply.name)")
                #expect(info.status == reply.status)
                #expect(reply.body.isEmpty)
            }
        }
    }

    @Test("of one's own account become profiles, field by field")
    func ownProfiles() async throws {
        let replies = try Corpus.replies(of: "user_me")
        #expect(replies.count >= 15)
        for reply in replies where reply.status == 200 {
            let users = RemoteUserRepository(client: try Corpus.client(for: reply))
            expectEqual(try await users.ownProfile(), reply)
        }
    }

    private func expectEqual(_ profile: GitHub.UserProfile, _ reply: Corpus.Reply) {
        let fields = reply.object as? [String: Any] ?? [:]
        func text(_ key: String) -> String? {
            let text = (fields[key] as? String)?.trimmingCharacters(in: .whitespacesAndNewlines)
            return text?.isEmpty == false ? text : nil
        }
        func number(_ key: String) -> Int? { (fields[key] as? NSNumber)?.intValue }
        #expect(profile.user.login.rawValue == text("login"), "\(reply.name)")
        #expect(profile.id.rawValue == (fields["id"] as? NSNumber)?.int64Value, "\(reply.name)")
        #expect(profile.user.avatar?.rawValue == text("avatar_url"), "\(reply.name)")
        #expect(profile.user.webPage?.rawValue == text("html_url"), "\(reply.name)")
        #expect(profile.user.kind.rawValue == text("type"), "\(reply.name)")
        #expect(profile.name == text("name"), "\(reply.name)")
        #expect(profile.bio == text("bio"), "\(reply.name)")
        #expect(profile.company == text("company"), "\(reply.name)")
        #expect(profile.location == text("location"), "\(reply.name)")
        #expect(profile.blog?.rawValue == text("blog"), "\(reply.name)")
        #expect(profile.publicRepoCount == number("public_repos"), "\(reply.name)")
        #expect(profile.publicGistCount == number("public_gists"), "\(reply.name)")
        #expect(profile.followerCount == number("followers"), "\(reply.name)")
        #expect(profile.followingCount == number("following"), "\(reply.name)")
        let date = text("created_at").flatMap { ISO8601DateFormatter().date(from: $0) }
        #expect(profile.memberSince == date, "\(reply.name)")
    }

    /// Which 403 ask to wait, by a part of their names; the others are plain refusals.
    private static let limits: [(name: String, kind: BrowseError.RateLimit.Kind)] = [
        ("hub_AbuseLimitHandlerTest", .secondary), ("testAuthenticatedRateLimitExceeded", .secondary),
        ("testRateLimitExceeded", .primary), ("AuthorizationTokenRefreshTest", .primary),
    ]

    @Test("of errors become the right case, with the server's words and the number of the exchange")
    func errors() async throws {
        let replies = try Corpus.replies(of: "errors")
        #expect(replies.count >= 53)
        for reply in replies {
            let users = RemoteUserRepository(client: try Corpus.client(for: reply))
            let error = await thrown { () async throws(BrowseError) in try await users.profile(of: .init("x")) }
            let info = try #require(error?.request, "\(reply.name)")
            #expect(info.status == reply.status)
            #expect(info.endpoint == "GET /users/{}")
            #expect((info.requestID == nil) == (reply.headers["X-GitHub-Request-Id"] == nil))
            let message = (reply.object as? [String: Any])?["message"] as? String
            #expect((info.serverMessage == nil) == (message == nil), "\(reply.name)")
            #expect((info.serverMessage ?? "").prefix(8) == (message ?? "").prefix(8), "\(reply.name)")
            let limit = Self.limits.first { reply.name.contains($0.name) }
            switch (reply.status, error) {
            case (401, .unauthorized), (404, .notFound), (410, .notFound), (400, .rejected), (405, .rejected),
                (409, .rejected),
                (422, .rejected), (500...599, .serverFailure):
                break
            case (403, .forbidden):
                #expect(limit == nil, "\(reply.name)")
            case (403, .rateLimited(let wait, _)), (429, .rateLimited(let wait, _)):
                #expect(wait.kind == limit?.kind, "\(reply.name)")
                let seconds = reply.headers["Retry-After"].flatMap(TimeInterval.init)
                #expect(wait.retryAt == testNow.addingTimeInterval(seconds ?? 60), "\(reply.name)")
                #expect(wait.isServerTime == (seconds != nil), "\(reply.name)")
            default:
                Issue.record("\(reply.name): \(String(describing: error))")
            }
        }
    }
}
