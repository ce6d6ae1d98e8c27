import BrowseAppStoreDomain
import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import BrowseRickAndMortyDomain
import Foundation
import TestLimits
import Testing

/// Compares each count of the bundled data with the rows that paging delivers.
@Suite(.bounded) struct `The bundled data agrees with itself` {
    private struct Profile: Decodable {
        let login: String
        let followers: Int
        let following: Int
        let publicRepos: Int

        private enum CodingKeys: String, CodingKey {
            case login, followers, following
            case publicRepos = "public_repos"
        }
    }

    private let gitHub = OfflineGitHub()

    private func profile(_ path: String) async throws -> Profile {
        try JSONDecoder().decode(Profile.self, from: try await gitHub.get(path).body)
    }

    /// Returns the number of rows of a list, from the first to the last page.
    private func count(_ path: String) async throws -> Int {
        struct Row: Decodable { let id: Int64 }
        func ids(_ page: Int) async throws -> (ids: [Int64], link: String) {
            let response = try await gitHub.get("\(path)?per_page=100&page=\(page)")
            let rows = try JSONDecoder().decode([Row].self, from: response.body)
            return (rows.map(\.id), response.headers["Link"] ?? "")
        }
        let first = try await ids(1)
        let last = first.link.firstMatch(of: /page=(\d+)>; rel="last"/).flatMap { Int($0.output.1) } ?? 1
        var distinct: Set<Int64> = []
        var count = 0
        // Of a huge list, the pages in the middle are full by construction.
        let pages = last > 10 ? [1, 2, last - 1, last] : Array(1...last)
        for page in pages {
            let ids = try await ids(page).ids
            #expect(page == last || ids.count == 100, "\(path), page \(page)")
            distinct.formUnion(ids)
            count += ids.count
        }
        #expect(distinct.count == count, "\(path)")
        return count + 100 * (last - pages.count)
    }

    @Test(arguments: Fixtures.gitHub.names.filter { $0.hasPrefix("user-") })
    func `in the lists of each profile`(name: String) async throws {
        struct Row: Decodable { let login: String }
        let login = try JSONDecoder().decode(Row.self, from: Fixtures.gitHub[name]).login
        let path = "/users/\(try #require(login.addingPercentEncoding(withAllowedCharacters: .alphanumerics)))"
        // The server changes nothing of it.
        #expect(try await gitHub.get(path).body == Fixtures.gitHub[name])
        let profile = try await profile(path)
        #expect(try await count("\(path)/followers") == profile.followers)
        #expect(try await count("\(path)/following") == profile.following)
        #expect(try await count("\(path)/repos") == profile.publicRepos)
    }

    @Test func `in data of an app's own, too`() async throws {
        let mona = #"{"login":"mona","id":7,"followers":120,"following":0,"public_repos":9}"#
        let gitHub = try OfflineGitHub(
            data: Fixtures([
                "user-mona": Data(mona.utf8), "followers-mona-1": Data(#"[{"login":"hubot","id":8}]"#.utf8),
            ])
        )
        #expect(try await gitHub.get("/users/mona").text.contains("\"public_repos\":0"))
        let last = try await gitHub.get("/users/mona/followers?per_page=100&page=2").text
        #expect(last.contains("mona-followers-000119"))
        #expect(try await gitHub.get("/users/mona/followers").text.hasPrefix(#"[{"login":"hubot","id":8},"#))
        #expect(try await gitHub.get("/search/users?q=mona").text.contains("\"total_count\":1,"))
    }

    /// A count below zero, or a rating above five stars, is shown as it is.
    @Test(arguments: [Fixtures.gitHub, .rickAndMorty, .appStore])
    func `in all numbers, none of which is impossible`(fixtures: Fixtures) throws {
        func check(_ value: Any, _ path: String) {
            switch value {
            case let object as [String: Any]:
                for (key, value) in object { check(value, "\(path).\(key)") }
            case let list as [Any]:
                for value in list { check(value, path) }
            case let number as NSNumber:
                #expect(number.doubleValue >= 0, "\(path)")
                if path.contains("Rating"), !path.contains("Count") { #expect(number.doubleValue <= 5, "\(path)") }
            default: break
            }
        }
        for name in fixtures.names {
            check(try JSONSerialization.jsonObject(with: fixtures[name], options: .fragmentsAllowed), name)
        }
    }

    /// Otherwise removing the star would leave a count below zero.
    @Test(arguments: Fixtures.gitHub.names.filter { $0.hasPrefix("starred-") })
    func `in the stars of each starred repository, everywhere`(name: String) throws {
        struct Repo: Decodable {
            let id: Int64
            // One row is damaged.
            let stargazers_count: Int?
        }
        func repos(_ name: String) throws -> [Repo] {
            try JSONDecoder().decode([Repo].self, from: Fixtures.gitHub[name])
        }
        let starred = Set(try repos(name).map(\.id))
        for list in Fixtures.gitHub.names where list.hasPrefix("starred-") || list.hasPrefix("repos-") {
            for repo in try repos(list) where starred.contains(repo.id) {
                #expect(repo.stargazers_count != 0, "\(repo.id) in \(list)")
            }
        }
    }

    @Test(arguments: Fixtures.appStore.names.filter { $0.hasPrefix("apps") })
    func `in the number of apps`(name: String) throws {
        let file = try #require(JSONSerialization.jsonObject(with: Fixtures.appStore[name]) as? [String: Any])
        let rows = try #require(file["results"] as? [[String: Any]])
        #expect(file["resultCount"] as? Int == rows.count)
        for row in rows where row["averageUserRating"] != nil {
            // A rating of nobody isn't shown.
            let count = row["userRatingCount"] as? Int ?? 1
            #expect((count == 0) == (row["averageUserRating"] as? Double == 0), "\(row["trackId"] ?? "")")
        }
    }
}
