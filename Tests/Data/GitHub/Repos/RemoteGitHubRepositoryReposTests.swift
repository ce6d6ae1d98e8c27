import BrowseData
import BrowseDomain
import BrowseGitHubData
import BrowseGitHubDomain
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite("Code repositories", .bounded)
struct RemoteGitHubRepositoryReposTests {
    private let octocat = GitHub.Login("octocat")

    private static let full = """
        {"id":9007199254740993,"node_id":"R_x","name":"tea","full_name":"octocat/tea","private":true,\
        "owner":{"login":"octocat","id":583231,"avatar_url":"https://a.example/1","html_url":"https://b.example/1",\
        "type":"User"},"html_url":"https://github.example/octocat/tea","description":" 차 🍵 for C++ ","fork":true,\
        "language":"C++","stargazers_count":12,"forks_count":3,"archived":true,"topics":["tea","한국어"],\
        "license":{"key":"mit","name":"MIT License","spdx_id":"MIT","url":null},"updated_at":"2011-01-25T18:44:36Z",\
        "pushed_at":"2012-01-25T18:44:36Z","created_at":"2010-01-25T18:44:36Z","score":1.0,"permissions":{"admin":true}}
        """

    private static let fullRepo = GitHub.Repo(
        id: .init(rawValue: 9_007_199_254_740_993),
        name: "tea",
        fullName: "octocat/tea"
    ) {
        $0.owner = GitHub.User(
            id: .init(rawValue: 583_231),
            login: .init("octocat"),
            avatar: WebAddress(rawValue: "https://a.example/1"),
            webPage: WebAddress(rawValue: "https://b.example/1")
        )
        $0.summary = "차 🍵 for C++"
        $0.language = "C++"
        $0.topics = ["tea", "한국어"]
        $0.license = .init(name: "MIT License", spdxID: "MIT")
        $0.starCount = 12
        $0.forkCount = 3
        $0.isFork = true
        $0.isArchived = true
        $0.isPrivate = true
        $0.updatedAt = Date(timeIntervalSince1970: 1_295_981_076)
        $0.webPage = WebAddress(rawValue: "https://github.example/octocat/tea")
    }

    /// Creates a repository with one response for all requests.
    private func repository(_ body: String, status: Int = 200) throws -> (RemoteGitHubRepository, FakeService) {
        let service = try FakeService { _, _ in (status, nil, body) }
        return (RemoteGitHubRepository(client: service.client), service)
    }

    // MARK: - Single repositories

    @Test func `have every field of the response`() async throws {
        let (repos, service) = try repository(Self.full)
        let found = try await repos.details(named: "tea", of: octocat)
        #expect(found.repo == Self.fullRepo)
        #expect(found.createdAt == Date(timeIntervalSince1970: 1_295_981_076 - 365 * 86_400))
        #expect(found.pushedAt == Date(timeIntervalSince1970: 1_295_981_076 + 365 * 86_400))
        #expect(service.targets == ["/repos/octocat/tea"])
    }

    @Test func `need only an ID and names, and have no values for missing fields`() async throws {
        let names =
            ["owner", "description", "language", "topics", "license", "stargazers_count", "forks_count", "fork"]
            + ["archived", "private", "updated_at", "html_url", "pushed_at", "homepage"]
        let nulls = names.map { ",\"\($0)\":null" }.joined()
        for tail in ["}", nulls + "}"] {
            let (repos, _) = try repository("{\"id\":1,\"name\":\"a\",\"full_name\":\"o/a\"" + tail)
            let repo = try await repos.details(named: "a", of: octocat).repo
            #expect(repo == GitHub.Repo(id: .init(rawValue: 1), name: "a", fullName: "o/a"))
            #expect(repo.starCount == nil && repo.updatedAt == nil)
        }
    }

    @Test func `have no invalid dates and no empty URLs`() async throws {
        let (repos, _) = try repository(
            #"{"id":1,"name":"a","full_name":"o/a","updated_at":"yesterday","html_url":"","description":" "}"#
        )
        #expect(
            try await repos.details(named: "a", of: octocat).repo
                == GitHub.Repo(id: .init(rawValue: 1), name: "a", fullName: "o/a")
        )
    }

    @Test func `have the number of issues, the website, and the original repository of a fork`() async throws {
        let tail =
            ",\"open_issues_count\":5,\"homepage\":\" tea.example \",\"parent\":{\"id\":2,\"name\":\"tea\",\"full_name\":\"o/tea\"}}"
        let (repos, service) = try repository(Self.full.dropLast() + tail)
        let found = try await repos.details(of: Self.fullRepo.id)
        let parent = GitHub.Repo(id: .init(rawValue: 2), name: "tea", fullName: "o/tea")
        #expect(found.openIssueCount == 5 && found.homepage == WebAddress("tea.example") && found.parent == parent)
        #expect(service.targets == ["/repositories/9007199254740993"])
    }

    @Test func `that aren't the requested one aren't shown`() async throws {
        let (repos, _) = try repository(Self.full)
        let error = await thrown { () async throws(BrowseError) in try await repos.details(of: .init(rawValue: 7)) }
        #expect(error?.isNotFound == true)
    }

    @Test(arguments: ["# Tea 🍵", ""])
    func `have a README, of which only the beginning is read`(_ text: String) async throws {
        let limit = GitHub.Readme.byteLimit
        let (repos, service) = try repository(text)
        #expect(try await repos.readme(of: .init(rawValue: 7)) == GitHub.Readme(text.utf8))
        #expect(service.targets == ["/repositories/7/readme"])
        // The limit is inside the last character.
        let long = String(repeating: "x", count: limit - 2) + "🍵"
        let cut = try #require(try await repository(long).0.readme(of: .init(rawValue: 7)))
        #expect(cut.isTruncated && cut.text == String(repeating: "x", count: limit - 2))
        #expect(!GitHub.Readme(cut.text.utf8).isTruncated)
        // It's behind the last character, which stays.
        let whole = String(repeating: "x", count: limit - 4) + "🍵"
        let kept = GitHub.Readme("\(whole)x".utf8)
        #expect(kept.isTruncated && kept.text == whole)
    }

    /// PowerShell/vscode-powershell#1875, github/markup#1020
    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf8])
    func `have a README that is read by its byte order mark`(encoding: String.Encoding) throws {
        let bytes = try #require("\u{FEFF}# Tea 🍵".data(using: encoding))
        #expect(GitHub.Readme(bytes).text == "# Tea 🍵")
        let long = "\u{FEFF}" + String(repeating: "x", count: GitHub.Readme.byteLimit / 2 - 2) + "🍵"
        let cut = GitHub.Readme(try #require(long.data(using: encoding)))
        #expect(encoding == .utf8 || cut.isTruncated && cut.text.last == "x")
        // A character may be cut off.
        #expect(GitHub.Readme(bytes.dropLast()).text.hasPrefix("# Tea "))
        let marks = try #require("\u{FEFF}e\(String(repeating: "\u{301}\u{323}", count: 10_000))".data(using: encoding))
        #expect(GitHub.Readme(marks).text.unicodeScalars.count == 31)
    }

    @Test func `without a README have none, which isn't a failure`() async throws {
        let id = GitHub.Repo.ID(rawValue: 7)
        #expect(try await repository("{}", status: 404).0.readme(of: id) == nil)
        let failing = RemoteGitHubRepository(client: try FakeService { _, _ in (500, nil, "{}") }.client)
        let error = await thrown { () async throws(BrowseError) in try await failing.readme(of: id) }
        #expect(error?.isNotFound == false)
    }

    // MARK: - Lists

    private static let everyList: [(GitHub.RepoList, String, String)] = [
        (
            .publicRepos(of: .init("c[bot]")), "/users/c%5Bbot%5D/repos?sort=updated&direction=desc&per_page=100",
            "GET /users/{}/repos"
        ),
        (.own, "/user/repos?sort=updated&direction=desc&per_page=100", "GET /user/repos"),
        (.starred, "/user/starred?sort=created&direction=desc&per_page=100", "GET /user/starred"),
    ]

    @Test(arguments: everyList)
    func `of a list are requested by 100, latest first`(list: (GitHub.RepoList, String, String)) async throws {
        let token = try AccessToken("made-up")
        let service = try FakeService(token: token) { target, authorization in
            guard authorization == "Bearer made-up" else { return (401, nil, "{}") }
            let isLast = target.contains("page=2")
            let link = isLast ? nil : "<https://api.github.com\(target)&page=2>; rel=\"next\", <x>; rel=\"last\""
            return (200, link, GitHubResponses.repos(isLast ? [9] : [3, 1, 2]))
        }
        let repos = RemoteGitHubRepository(client: service.client)
        let page = try await repos.page(of: list.0, at: nil)
        #expect(page.items.map(\.id.rawValue) == [3, 1, 2])
        #expect(page.skipped.count == 0)
        #expect(page.next?.rawValue == "https://api.github.com\(list.1)&page=2")
        let last = try await repos.page(of: list.0, at: PageCursor(rawValue: "\(service.origin)\(list.1)&page=2"))
        #expect(last.items.map(\.id.rawValue) == [9])
        #expect(last.next == nil)
        #expect(service.targets == [list.1, list.1 + "&page=2"])
    }

    @Test func `that can't be decoded are counted, and the others remain`() async throws {
        let rows =
            "[{\"id\":1,\"name\":\"a\"},\(Self.full),7,{\"id\":2,\"name\":\"a\",\"full_name\":[]}]"
        let (repos, _) = try repository(rows)
        let page = try await repos.page(of: .own, at: nil)
        #expect(page.items == [Self.fullRepo])
        #expect(page.skipped.count == 3)
        #expect(page.skipped.first == .init(codingPath: "[0].full_name", reason: "missing"))
    }

    @Test func `in the format with star dates are an error, not an empty list`() async throws {
        let (repos, _) = try repository("[{\"starred_at\":\"2011-01-25T18:44:36Z\",\"repo\":\(Self.full)}]")
        let error = await thrown { () async throws(BrowseError) in try await repos.page(of: .starred, at: nil) }
        guard case .unusableResponse(.decoding(let failure), _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.codingPath == "[0].id")
    }

    // MARK: - Searches

    @Test(
        "are searched for in the requested order",
        arguments: [
            (.bestMatch, .descending, ""), (.bestMatch, .ascending, ""),
            (.stars, .descending, "&sort=stars&order=desc"),
            (.stars, .ascending, "&sort=stars&order=asc"), (.forks, .descending, "&sort=forks&order=desc"),
            (.updated, .descending, "&sort=updated&order=desc"),
        ] as [(GitHub.RepoSearch.Sort, GitHub.RepoSearch.Order, String)]
    )
    func sorts(order: (GitHub.RepoSearch.Sort, GitHub.RepoSearch.Order, String)) async throws {
        let (repos, service) = try repository(GitHubResponses.found("[]", total: 0))
        let search = GitHub.RepoSearch(text: try GitHub.SearchText("C++"), sort: order.0, order: order.1)
        _ = try await repos.search(search, at: nil)
        #expect(service.targets == ["/search/repositories?q=C%2B%2B\(order.2)&per_page=100"])
    }

    @Test func `of a search come with the total count and the next page`() async throws {
        let service = try FakeService { target, _ in
            let rows = target.contains("page=2") ? "[]" : "[\(Self.full),{}]"
            let link = "<https://api.github.com/search/repositories?q=tea&page=2>; rel=\"next\""
            return (200, link, GitHubResponses.found(rows, total: 77, isIncomplete: true))
        }
        let repos = RemoteGitHubRepository(client: service.client)
        let search = GitHub.RepoSearch(text: try GitHub.SearchText("tea"))
        let found = try await repos.search(search, at: nil)
        #expect(found.items == [Self.fullRepo])
        #expect(found.skipped == SkippedRows(count: 1, first: .init(codingPath: "items[1].id", reason: "missing")))
        #expect(found.totalCount == 77)
        #expect(found.isIncomplete)
        #expect(found.next?.rawValue == "https://api.github.com/search/repositories?q=tea&page=2")
        // The link includes the query, so the order of the first page stays.
        let cursor = PageCursor(rawValue: service.origin + "/search/repositories?q=tea&page=2")
        #expect(try await repos.search(search, at: cursor).items.isEmpty)
        #expect(service.targets.last == "/search/repositories?q=tea&page=2")
    }
}
