import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite(.bounded)
struct OfflineConditionalTests {
    private let token = "Bearer gho_offline_octocat_1"

    private func ask(
        _ transport: any HTTPTransport,
        _ path: String,
        _ headers: HTTPHeaders = [:]
    ) async throws -> HTTPClient.Response {
        let url = try #require(URL(string: "https://host.test" + path))
        return try await transport.send(HTTPClient.Request(method: .get, url: url, headers: headers, endpoint: "TEST"))
    }

    @Test func `What was read before and has not changed comes as a 304 without a body`() async throws {
        for (transport, path) in [
            (OfflineGitHub().transport(), "/users/octocat/followers?per_page=100"),
            (OfflineRickAndMorty().transport(), "/character?page=2"),
        ] {
            let first = try await ask(transport, path)
            let tag = try #require(first.headers["ETag"])
            #expect(first.status == 200 && tag.hasPrefix("W/\""))
            for known in [tag, "\"other\", \(tag)", String(tag.dropFirst(2))] {
                let again = try await ask(transport, path, ["If-None-Match": known])
                #expect(again.status == 304 && again.body.isEmpty && again.headers["ETag"] == tag)
                #expect(again.headers["Link"] == nil)
            }
            let other = try await ask(transport, path, ["If-None-Match": "W/\"other\""])
            #expect(other.status == 200 && other.body == first.body)
            #expect(try await ask(transport, "/users/nobody-here", ["If-None-Match": tag]).headers["ETag"] == nil)
        }
    }

    @Test func `What has changed has another tag, and comes whole`() async throws {
        let gitHub = OfflineGitHub()
        let transport = gitHub.transport()
        let first = try await ask(transport, "/user/starred", ["Authorization": token])
        let star = try #require(URL(string: "https://host.test/user/starred/octocat/hello-tentacles"))
        let put = HTTPClient.Request(method: .put, url: star, headers: ["Authorization": token], endpoint: "TEST")
        #expect(try await transport.send(put).headers["ETag"] == nil)
        let known: HTTPHeaders = ["Authorization": token, "If-None-Match": try #require(first.headers["ETag"])]
        let again = try await ask(transport, "/user/starred", known)
        #expect(again.status == 200 && again.headers["ETag"] != first.headers["ETag"])
    }

    @Test func `What has not changed costs nothing to who tells who they are`() async throws {
        let transport = OfflineGitHub().transport()
        func used(_ headers: HTTPHeaders) async throws -> Int? {
            try await ask(transport, "/users/octocat", headers).headers["X-RateLimit-Used"].flatMap { Int($0) }
        }
        #expect(try await used([:]) == 1)
        let tag = try #require(try await ask(transport, "/users/octocat").headers["ETag"])
        #expect(try await used(["If-None-Match": tag]) == 3)
        #expect(try await used(["If-None-Match": tag, "Authorization": token]) == 3)
        #expect(try await used(["Authorization": token]) == 4)
    }
}
