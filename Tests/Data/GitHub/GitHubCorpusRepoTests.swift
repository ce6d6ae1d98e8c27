import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import Foundation
import TestLimits
import Testing

// Like `GitHubCorpusTests`, these are skipped without a folder of recorded responses.
@Suite("Recorded responses", .enabled(if: Corpus.folder != nil, "BROWSEKIT_CORPUS is not set"), .bounded)
struct GitHubCorpusRepoTests {
    @Test(
        "of lists of code repositories decode all rows and fields",
        arguments: [
            // The kind, the minimum numbers of responses and rows, and the list that they're a page of.
            ("users_repos", 11, 364, .publicRepos(of: .init("x"))),
            ("orgs_repos", 7, 280, .publicRepos(of: .init("x"))),
            ("user_repos", 4, 57, .own), ("user_starred", 5, 120, .starred),
        ] as [(String, Int, Int, GitHub.RepoList)]
    )
    func lists(kind: String, responseCount: Int, rowCount: Int, list: GitHub.RepoList) async throws {
        let responses = try Corpus.responses(of: kind)
        #expect(responses.count >= responseCount)
        var count = 0
        for response in responses {
            let repos = RemoteGitHubRepository(client: try Corpus.client(for: response))
            let page = try await repos.page(of: list, at: nil)
            let rows = try #require(response.object as? [[String: Any]], "\(response.name)")
            expectEqual(page.items, rows, response)
            #expect(page.skipped.count == 0, "\(response.name)")
            #expect((page.next != nil) == (response.headers["Link"]?.contains("rel=\"next\"") == true))
            count += page.items.count
        }
        #expect(count >= rowCount)
    }

    @Test func `of searches for code repositories decode counts and all fields`() async throws {
        let responses = try Corpus.responses(of: "search_repositories")
        #expect(responses.count >= 7)
        var count = 0
        for response in responses {
            let repos = RemoteGitHubRepository(client: try Corpus.client(for: response))
            let found = try await repos.search(.init(text: try GitHub.SearchText("x")), at: nil)
            let (rows, total, isIncomplete) = try Self.envelope(of: response)
            expectEqual(found.items, rows, response)
            #expect(found.skipped.count == 0, "\(response.name)")
            #expect(found.totalCount == total, "\(response.name)")
            #expect(found.isIncomplete == isIncomplete, "\(response.name)")
            count += rows.count
        }
        #expect(count >= 135)
    }

    @Test func `of searches for accounts decode counts and all fields`() async throws {
        let responses = try Corpus.responses(of: "search_users")
        #expect(responses.count >= 8)
        var count = 0
        for response in responses {
            let users = RemoteGitHubRepository(client: try Corpus.client(for: response))
            let found = try await users.search(for: try GitHub.SearchText("x"), at: nil)
            let (rows, total, isIncomplete) = try Self.envelope(of: response)
            expectEqual(found.items, rows, response)
            #expect(found.skipped.count == 0, "\(response.name)")
            #expect(found.totalCount == total, "\(response.name)")
            #expect(found.isIncomplete == isIncomplete, "\(response.name)")
            count += rows.count
        }
        #expect(count >= 100)
    }

    @Test func `of single code repositories decode all fields, or map to the right error`() async throws {
        let responses = try Corpus.responses(of: "repos_get")
        #expect(responses.count >= 34)
        var statuses: [Int: Int] = [:]
        for response in responses {
            let repos = RemoteGitHubRepository(client: try Corpus.client(for: response))
            statuses[response.status, default: 0] += 1
            do throws(BrowseError) {
                let repo = try await repos.details(named: "x", of: .init("x")).repo
                expectEqual([repo], [response.object as? [String: Any] ?? [:]], response)
                #expect(response.status == 200, "\(response.name)")
            } catch {
                // The client sends no conditional requests, and the transport follows redirects.
                let info = try #require(error.request, "\(response.name): \(error)")
                #expect(error == .unusableResponse(.status, info), "\(response.name)")
                #expect(info.status == response.status)
                #expect([301, 304].contains(response.status), "\(response.name)")
            }
        }
        #expect(statuses == [200: 30, 301: 1, 304: 3])
    }

    // MARK: - Parsed by JSONSerialization

    private static func envelope(of response: Corpus.Response) throws -> (
        rows: [[String: Any]], total: Int?, isIncomplete: Bool
    ) {
        let body = try #require(response.object as? [String: Any], "\(response.name)")
        let rows = try #require(body["items"] as? [[String: Any]], "\(response.name)")
        return (rows, (body["total_count"] as? NSNumber)?.intValue, (body["incomplete_results"] as? Bool) ?? false)
    }

    private func expectEqual(_ users: [GitHub.User], _ rows: [[String: Any]], _ response: Corpus.Response) {
        #expect(users.count == rows.count, "\(response.name)")
        for (user, row) in zip(users, rows) { expectEqual(user, row, response) }
    }

    private func expectEqual(_ user: GitHub.User?, _ row: [String: Any]?, _ response: Corpus.Response) {
        #expect(user?.id.rawValue == (row?["id"] as? NSNumber)?.int64Value, "\(response.name)")
        #expect(user?.login.rawValue == row?["login"] as? String, "\(response.name)")
        #expect(user?.avatar?.rawValue == row?["avatar_url"] as? String, "\(response.name)")
        #expect(user?.webPage?.rawValue == row?["html_url"] as? String, "\(response.name)")
        #expect(user == nil || user?.kind.rawValue == row?["type"] as? String ?? "User", "\(response.name)")
    }

    private func expectEqual(_ repos: [GitHub.Repo], _ rows: [[String: Any]], _ response: Corpus.Response) {
        #expect(repos.count == rows.count, "\(response.name)")
        for (repo, row) in zip(repos, rows) {
            func text(_ key: String) -> String? {
                let text = (row[key] as? String)?.trimmingCharacters(in: .whitespacesAndNewlines)
                return text?.isEmpty == false ? text : nil
            }
            func number(_ key: String) -> Int? { (row[key] as? NSNumber)?.intValue }
            func flag(_ key: String) -> Bool { row[key] as? Bool ?? false }
            let comment = "\(response.name): \(repo.fullName)"
            #expect(repo.id.rawValue == (row["id"] as? NSNumber)?.int64Value, "\(comment)")
            #expect(repo.name == text("name"), "\(comment)")
            #expect(repo.fullName == text("full_name"), "\(comment)")
            expectEqual(repo.owner, row["owner"] as? [String: Any], response)
            #expect(repo.summary == text("description"), "\(comment)")
            #expect(repo.language == text("language"), "\(comment)")
            #expect(repo.topics == row["topics"] as? [String] ?? [], "\(comment)")
            let license = row["license"] as? [String: Any]
            #expect(repo.license?.name == license?["name"] as? String, "\(comment)")
            #expect(repo.license?.spdxID == license?["spdx_id"] as? String, "\(comment)")
            #expect(repo.starCount == number("stargazers_count"), "\(comment)")
            #expect(repo.forkCount == number("forks_count"), "\(comment)")
            #expect(repo.isFork == flag("fork"), "\(comment)")
            #expect(repo.isArchived == flag("archived"), "\(comment)")
            #expect(repo.isPrivate == flag("private"), "\(comment)")
            let date = text("updated_at").flatMap { ISO8601DateFormatter().date(from: $0) }
            #expect(repo.updatedAt == date, "\(comment)")
            #expect(date != nil || text("updated_at") == nil, "\(comment)")
            #expect(repo.webPage?.rawValue == text("html_url"), "\(comment)")
        }
    }
}
