import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite("A token", .bounded)
struct SecrecyTests {
    /// Returns responses that repeat a text in every place where a server could.
    private static func echoes(of text: String) -> [LoopbackResponse] {
        var responses: [LoopbackResponse] = []
        let fields = [
            ("X-GitHub-Request-Id", text), ("WWW-Authenticate", "Basic realm=\"\(text)\""), ("Set-Cookie", "s=\(text)"),
            ("ETag", "\"\(text)\""), ("Location", "http://[\(text)"),
        ]
        let bodies = [
            "{\"message\":\"Bad credentials: \(text)\"}", "{\"message\":\(text)}", "<html>\(text)</html>", text,
            "{\"\(text)\":1}",
            "[\"\(text)\"]", "[{\"login\":\"\(text)\",\"id\":\"\(text)\"}]",
            "{\"id\":1,\"login\":{\"\(text)\":1}}",
        ]
        for status in [200, 302, 304, 400, 401, 403, 404, 422, 429, 500, 503] {
            for body in status == 304 ? [""] : bodies {
                responses.append(.json(body, status: status, headers: fields))
                if status == 200 { responses.append(.json(body, headers: [("Content-Type", "text/\(text)")])) }
            }
        }
        return responses
    }

    @Test(arguments: Canary.all)
    func `isn't in any error, whatever the server repeats`(canary: Canary) async throws {
        let token = try AccessToken(canary.secret)
        let responses = Self.echoes(of: "Bearer \(canary.secret)") + BadResponse.all.map(\.response)
        let server = try LoopbackServer { request in
            let number = request.target.split(separator: "/").dropFirst().first.flatMap { Int($0) } ?? 0
            return responses[number]
        }
        for number in responses.indices {
            // One client each, because a 401 ends the session.
            let client = try HTTPClient.gitHub(at: server.origin, token: token)
            let users = RemoteGitHubRepository(client: client)
            let error = await thrown { () async throws(BrowseError) in
                try await users.profile(of: .init(String(number)))
            }
            #expect(!canary.leaks(into: everyPrint(of: try #require(error))), "response \(number)")
            let followers = RemoteGitHubRepository(client: try .gitHub(at: server.origin, token: token))
            do throws(BrowseError) {
                let page = try await followers.page(of: .followers(of: .init(String(number))), at: nil)
                #expect(!canary.leaks(into: everyPrint(of: page.skipped)), "response \(number)")
            } catch {
                #expect(!canary.leaks(into: everyPrint(of: error)), "response \(number)")
            }
        }
        #expect(server.requests.allSatisfy { $0.header("Authorization") == "Bearer \(canary.secret)" })
        #expect(!server.requests.contains { $0.target.contains(canary.secret) })
    }
}
