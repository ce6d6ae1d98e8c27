import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import Synchronization
import TestLimits
import Testing

import BrowseData

@Suite(.bounded)
struct `Star requests` {
    private func repo(_ fullName: String) -> GitHub.Repo {
        GitHub.Repo(id: .init(rawValue: 1), name: "r", fullName: fullName)
    }

    @Test func `add a star by PUT with an empty body, and remove it by DELETE`() async throws {
        let server = try LoopbackServer { _ in LoopbackResponse(status: 204) }
        let stars = RemoteGitHubRepository(client: try .gitHub(at: server.origin, token: try Secret("abc")))
        try await stars.set(true, for: repo("mona/hello.world"))
        try await stars.set(false, for: repo("mona_corp/a b"))
        #expect(server.requests.map(\.method) == ["PUT", "DELETE"])
        #expect(server.requests.map(\.target) == ["/user/starred/mona/hello.world", "/user/starred/mona_corp/a%20b"])
        #expect(server.requests[0].header("Content-Length") == "0")
        #expect(server.requests.allSatisfy { $0.body.isEmpty && $0.header("Authorization") == "Bearer abc" })
    }

    @Test(arguments: ["", "mona", "/", "mona/", "/hello", "../user", "mona/.."])
    func `are rejected without a request for invalid names`(name: String) async throws {
        let server = try LoopbackServer { _ in LoopbackResponse(status: 204) }
        let stars = RemoteGitHubRepository(client: try .gitHub(at: server.origin))
        let error = await thrown { () async throws(BrowseError) in try await stars.set(true, for: repo(name)) }
        guard case .refused(.invalidParameter, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `read a star by GET, which returns 204 or 404`() async throws {
        let server = try LoopbackServer { request in
            request.target == "/user/starred/a/yes"
                ? LoopbackResponse(status: 204)
                : .json("{}", status: 404, headers: [("X-GitHub-Media-Type", "github.v3")])
        }
        let stars = RemoteGitHubRepository(client: try .gitHub(at: server.origin, token: try Secret("abc")))
        #expect(try await stars.isStarred(repo("a/yes")))
        #expect(try await !stars.isStarred(repo("a/no")))
        #expect(server.requests.allSatisfy { $0.method == "GET" && $0.header("Authorization") == "Bearer abc" })
    }

    @Test func `follow a renamed repository`() async throws {
        let server = try LoopbackServer { request in
            request.target == "/user/starred/a/old"
                ? .redirect(to: "/repositories/1/starred", status: 307) : LoopbackResponse(status: 204)
        }
        let stars = RemoteGitHubRepository(client: try .gitHub(at: server.origin, token: try Secret("abc")))
        try await stars.set(true, for: repo("a/old"))
        #expect(server.requests.map(\.method) == ["PUT", "PUT"])
        #expect(server.requests.map(\.target) == ["/user/starred/a/old", "/repositories/1/starred"])
    }

    @Test func `are answered by GitHub's server only`() async throws {
        let portal = try LoopbackServer { _ in LoopbackResponse(status: 204) }
        let server = try LoopbackServer { _ in .redirect(to: portal.origin + "/login") }
        let stars = RemoteGitHubRepository(client: try .gitHub(at: server.origin))
        let error = await thrown { () async throws(BrowseError) in try await stars.isStarred(repo("a/b")) }
        guard case .unreachable(.intercepted, _)? = error else { throw error ?? .cancelled }
        #expect(portal.requests.count == 1)
    }

    @Test func `read all pages of the starred list, in order`() async throws {
        let origin = Mutex("")
        let server = try LoopbackServer { request in
            let number =
                request.target.split(separator: "&").last { $0.hasPrefix("page=") }.flatMap { Int($0.dropFirst(5)) }
                ?? 1
            let ids = ((number - 1) * 100..<min(number * 100, 730)).map { #"{"id":\#($0),"extra":[]}"# }
            let base = origin.withLock { $0 } + "/user/starred?per_page=100&page="
            let links = number == 8 ? [] : [("Link", "<\(base)\(number + 1)>; rel=\"next\", <\(base)8>; rel=\"last\"")]
            return .json("[\(ids.joined(separator: ","))]", headers: links)
        }
        origin.withLock { $0 = server.origin }
        let stars = RemoteGitHubRepository(client: try .gitHub(at: server.origin), concurrency: 4)
        let read = Mutex<[Int64]>([])
        try await stars.starred { page throws(BrowseError) in
            read.withLock { $0 += page.items.map(\.rawValue) }
        }
        #expect(read.withLock { $0 } == Array(0..<730))
        #expect(server.requests.count == 8)
        #expect(server.requests.first?.target == "/user/starred?per_page=100")
    }
}
