import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import Foundation
import TestLimits
import Testing

// These run only if the environment variable BROWSEKIT_CORPUS names a folder of recorded responses (see `Corpus`).
@Suite("Recorded responses", .enabled(if: Corpus.folder != nil, "BROWSEKIT_CORPUS is not set"), .bounded)
struct GitHubCorpusTests {
    @Test(arguments: ["users_followers", "users_following"])
    func `of lists decode all rows and the next page`(kind: String) async throws {
        let responses = try Corpus.responses(of: kind)
        #expect(responses.count >= 4)
        for response in responses {
            let followers = RemoteGitHubRepository(client: try Corpus.client(for: response))
            let page = try await followers.page(of: .followers(of: .init("x")), at: nil)
            let rows = try #require(response.object as? [[String: Any]], "\(response.name)")
            #expect(!rows.isEmpty)
            #expect(page.skipped.count == 0)
            #expect(page.items.map(\.login.rawValue) == rows.map { $0["login"] as? String })
            #expect(page.items.map(\.id.rawValue) == rows.map { ($0["id"] as? NSNumber)?.int64Value })
            #expect(page.items.map(\.avatar?.rawValue) == rows.map { $0["avatar_url"] as? String })
            #expect(page.items.map(\.webPage?.rawValue) == rows.map { $0["html_url"] as? String })
            #expect(page.items.map(\.kind.rawValue) == rows.map { $0["type"] as? String ?? "User" })
            #expect(page.items.allSatisfy { $0.avatar == nil || $0.avatar?.url != nil })
            #expect(page.next?.rawValue == Self.target(of: "next", in: response.headers["Link"]), "\(response.name)")
        }
        #expect(responses.contains { $0.headers["Link"] != nil })
    }

    /// A minimal parser for the links in the recordings.
    private static func target(of relation: String, in header: String?) -> String? {
        header?.components(separatedBy: ", ")
            .first { $0.hasSuffix("; rel=\"\(relation)\"") }
            .map { String($0.dropFirst().prefix { $0 != ">" }) }
    }

    @Test func `of profiles decode all fields, or map to the right error`() async throws {
        let responses = try Corpus.responses(of: "users_get")
        #expect(responses.count >= 32)
        for response in responses {
            let users = RemoteGitHubRepository(client: try Corpus.client(for: response))
            do throws(BrowseError) {
                let profile = try await users.profile(of: .init("x"))
                expectEqual(profile, response)
            } catch {
                let reason: BrowseError.UnusableResponse = response.status == 304 ? .status : .empty
                let info = try #require(error.request)
                #expect(error == .unusableResponse(reason, info), "\(response.name)")
                #expect(info.status == response.status)
                #expect(response.body.isEmpty)
            }
        }
    }

    @Test func `of the signed-in user's profile decode all fields`() async throws {
        let responses = try Corpus.responses(of: "user_me")
        #expect(responses.count >= 15)
        for response in responses where response.status == 200 {
            let users = RemoteGitHubRepository(client: try Corpus.client(for: response))
            expectEqual(try await users.ownProfile(), response)
        }
    }

    private func expectEqual(_ profile: GitHub.UserProfile, _ response: Corpus.Response) {
        let fields = response.object as? [String: Any] ?? [:]
        func text(_ key: String) -> String? {
            let text = (fields[key] as? String)?.trimmingCharacters(in: .whitespacesAndNewlines)
            return text?.isEmpty == false ? text : nil
        }
        func number(_ key: String) -> Int? { (fields[key] as? NSNumber)?.intValue }
        #expect(profile.user.login.rawValue == text("login"), "\(response.name)")
        #expect(profile.id.rawValue == (fields["id"] as? NSNumber)?.int64Value, "\(response.name)")
        #expect(profile.user.avatar?.rawValue == text("avatar_url"), "\(response.name)")
        #expect(profile.user.webPage?.rawValue == text("html_url"), "\(response.name)")
        #expect(profile.user.kind.rawValue == text("type"), "\(response.name)")
        #expect(profile.name == text("name"), "\(response.name)")
        #expect(profile.bio == text("bio"), "\(response.name)")
        #expect(profile.company == text("company"), "\(response.name)")
        #expect(profile.location == text("location"), "\(response.name)")
        #expect(profile.blog?.rawValue == text("blog"), "\(response.name)")
        #expect(profile.publicRepoCount == number("public_repos"), "\(response.name)")
        #expect(profile.publicGistCount == number("public_gists"), "\(response.name)")
        #expect(profile.followerCount == number("followers"), "\(response.name)")
        #expect(profile.followingCount == number("following"), "\(response.name)")
        let date = text("created_at").flatMap { ISO8601DateFormatter().date(from: $0) }
        #expect(profile.memberSince == date, "\(response.name)")
    }

    /// Name parts of the 403 responses that are rate limits; the others are refusals.
    private static let limits: [(name: String, kind: BrowseError.RateLimit.Kind)] = [
        ("hub_AbuseLimitHandlerTest", .secondary), ("testAuthenticatedRateLimitExceeded", .secondary),
        ("testRateLimitExceeded", .primary), ("AuthorizationTokenRefreshTest", .primary),
    ]

    @Test func `of errors map to the right error with the server's message and the request ID`() async throws {
        let responses = try Corpus.responses(of: "errors")
        #expect(responses.count >= 53)
        for response in responses {
            let users = RemoteGitHubRepository(client: try Corpus.client(for: response))
            let error = await thrown { () async throws(BrowseError) in try await users.profile(of: .init("x")) }
            let info = try #require(error?.request, "\(response.name)")
            #expect(info.status == response.status)
            #expect(info.endpoint == "GET /users/{}")
            #expect((info.requestID == nil) == (response.headers["X-GitHub-Request-Id"] == nil))
            // Recorded without the field by which GitHub's own 401 is recognized.
            if case (401, .unreachable(.intercepted, _)) = (response.status, error) {
                #expect(response.headers["X-GitHub-Request-Id"] == nil)
                continue
            }
            let message = (response.object as? [String: Any])?["message"] as? String
            #expect((info.serverMessage == nil) == (message == nil), "\(response.name)")
            #expect((info.serverMessage ?? "").prefix(8) == (message ?? "").prefix(8), "\(response.name)")
            let limit = Self.limits.first { response.name.contains($0.name) }
            switch (response.status, error) {
            case (401, .unauthorized), (404, .notFound), (410, .rejected), (400, .rejected), (405, .rejected),
                (409, .rejected),
                (422, .rejected), (500...599, .serverFailure):
                break
            case (403, .forbidden):
                #expect(limit == nil, "\(response.name)")
            case (403, .rateLimited(let wait, _)), (429, .rateLimited(let wait, _)):
                #expect(wait.kind == limit?.kind, "\(response.name)")
                let seconds = response.headers["Retry-After"].flatMap(TimeInterval.init)
                #expect(wait.retryAt == testNow.addingTimeInterval(seconds ?? 60), "\(response.name)")
                #expect(wait.isServerTime == (seconds != nil), "\(response.name)")
            default:
                Issue.record("\(response.name): \(String(describing: error))")
            }
        }
    }
}
