import BrowseAppStoreDomain
import BrowseDomain
import BrowseGitHubDomain
import BrowseKit
import BrowseMocks
import BrowseRickAndMortyDomain
import Foundation
import Testing
import TestLimits

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

    @Test func `in the lists of generated accounts, and of those without a profile`() async throws {
        for path in [
            "/users/haneul-kim-followers-1234567", "/users/everyone-0001", "/users/Mona-Flashlight",
            "/users/pylonyarrowgate",
        ] {
            let profile = try await profile(path)
            #expect(try await count("\(path)/followers") == profile.followers)
            #expect(try await count("\(path)/following") == profile.following)
            #expect(try await count("\(path)/repos") == profile.publicRepos)
        }
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

    @Test(arguments: ["users?q=octocat", "users?q=everyone", "users?q=haneul", "repositories?q=octocat"])
    func `in the total of a search`(query: String) async throws {
        struct Results: Decodable {
            struct Row: Decodable { let id: Int64 }
            let total_count: Int
            let items: [Row]
        }
        func page(_ number: Int) async throws -> Results {
            let body = try await gitHub.get("/search/\(query)&per_page=100&page=\(number)").body
            return try JSONDecoder().decode(Results.self, from: body)
        }
        let first = try await page(1)
        var ids = first.items.map(\.id)
        // GitHub delivers at most 1,000 results.
        let delivered = min(first.total_count, GitHub.searchResultLimit)
        while ids.count < delivered { ids += try await page(ids.count / 100 + 1).items.map(\.id) }
        #expect(ids.count == delivered)
        #expect(Set(ids).count == delivered)
    }

    @Test func `in the characters, episodes, and locations`() async throws {
        let container = Container.offline()
        let characters = try await all { cursor throws(BrowseError) in
            try await container.characterRepository().page(of: .init(), at: cursor)
        }
        let episodes = try await all { cursor throws(BrowseError) in
            try await container.episodeRepository().page(of: .init(), at: cursor)
        }
        let locations = try await all { cursor throws(BrowseError) in
            try await container.locationRepository().page(of: .init(), at: cursor)
        }
        #expect(try await total(of: "character") == characters.count)
        #expect(try await total(of: "episode") == episodes.count)
        #expect(try await total(of: "location") == locations.count)
        for episode in episodes {
            #expect(Set(characters.filter { $0.episodes.contains(episode.id) }.map(\.id)) == Set(episode.characters))
        }
        for character in characters { #expect(Set(episodes.map(\.id)).isSuperset(of: character.episodes)) }
        for location in locations { #expect(Set(characters.map(\.id)).isSuperset(of: location.residents)) }
    }

    private func total(of list: String) async throws -> Int {
        struct Envelope: Decodable {
            struct Info: Decodable { let count: Int }
            let info: Info
        }
        let body = try await OfflineRickAndMorty().transport().get("/\(list)").body
        return try JSONDecoder().decode(Envelope.self, from: body).info.count
    }

    private func all<Row: Sendable>(
        _ read: (PageCursor?) async throws(BrowseError) -> Page<Row>
    ) async throws(BrowseError) -> [Row] {
        var page = try await read(nil)
        var rows = page.items
        while let next = page.next {
            page = try await read(next)
            rows += page.items
        }
        return rows
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
