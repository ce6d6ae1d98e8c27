import BrowseData
import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

/// What is particular to the App Store, and to Rick and Morty.
@MainActor
@Suite(.bounded)
struct `Reports about apps and characters` {
    private let server = ScriptedServer()

    private func container(_ change: (inout Configuration) -> Void = { _ in }) -> Container {
        .reports(server) {
            ($0.clock, $0.now) = (ImmediateClock(), { Date(timeIntervalSince1970: 1_800_000_000) })
            change(&$0)
        }
    }

    /// mangerlahn/Latest#113, lionheart/openradar-mirror#3198, AppsAgg/AppAgg#23
    @Test func `an app names its system, is one row, and is free only if the store says so`() async {
        let more = #""minimumOsVersion":"9.0","releaseDate":"2027-03-01T08:00:00Z""#
        server.on(.any, times: .any, response: .apps(more, more + #","screenshotUrls":["https://i.example/1.png"]"#))
        let all = container { $0.appStore.platform = .mac }
        let (search, page) = (all.appSearchViewModel(), all.appDetailViewModel())
        search.query.text = "tea"
        await search.submit()
        #expect(search.state.content.rows.count == 1)
        await page.show(.id(AppStore.AppID(7)))
        let details = page.state.content.details
        #expect(details?["minimumOS"]?.value.contains("iOS") == true && details?["price"]?.isMissing == true)
        #expect(details?.facts.contains { $0.value.contains("Free") || $0.value.contains("0.00") } == false)
    }

    /// mpalazzolo/apple-music-python#25
    @Test(arguments: [
        ("카카오 톡", "카카오 톡", "%EC%B9%B4%EC%B9%B4%EC%98%A4%20%ED%86%A1"),
        ("C++ 배우기".decomposedStringWithCanonicalMapping, "C++ 배우기", "C%2B%2B%20%EB%B0%B0%EC%9A%B0%EA%B8%B0"),
    ])
    func `a term is encoded once, in composed form`(typed: String, sent: String, encoded: String) async {
        server.on(.any, times: .any, response: .apps())
        let search = container().appSearchViewModel()
        search.query.text = typed
        await search.submit()
        let url = server.requests.first?.url
        let term = url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true)?.queryItems?.first }
        #expect(term?.value.map { Array($0.utf8) } == Array(sent.utf8))
        #expect(url?.query(percentEncoded: true)?.hasPrefix("term=\(encoded)&") == true)
    }

    /// afuh/rick-and-morty-api#95
    @Test func `a corrected name is the favorite's, too`() async throws {
        func page(_ name: String) -> ScriptedServer.Response {
            .json(
                #"{"info":{"count":1,"next":null},"results":[{"id":408,"name":"Quick \#(name) Presenter"}]}"#,
                headers: ["ETag": "\"\(name)\""]
            )
        }
        let offline = ScriptedServer.Response.failure(.notConnectedToInternet)
        server.on(.get, "/api/character", responses: [page("Mistery"), page("Mystery"), offline])
        let all = container()
        let list = all.characterListViewModel()
        await list.show()
        await list.toggleFavorite(try #require(list.state.content.rows.first?.id))
        await list.refresh()
        let saved = all.favoriteListViewModel()
        await saved.show()
        try await waitUntil { saved.state.content.rows.map(\.favorite.title) == ["Quick Mystery Presenter"] }
        let later = all.characterListViewModel()
        await later.show()
        #expect(later.state.content.rows.map(\.name) == ["Quick Mystery Presenter"] && later.state.content.age != nil)
    }

    /// YannNeves/rick-and-morty-challenge#17
    @Test(arguments: [([2, 1, 2, 1], "2,1", 2), ([2], "2", 1), ([], "", 0)])
    func `residents come in one request, once each`(residents: [Int], path: String, count: Int) async {
        let urls = residents.map { #""https://rickandmortyapi.com/api/character/\#($0)""# }.joined(separator: ",")
        server.on(.get, "/api/location/3", response: .json(#"{"id":3,"name":"L","residents":[\#(urls)]}"#))
        let rows = [1, 2].map { #"{"id":\#($0),"name":"n\#($0)"}"# }
        server.on(
            .get,
            "/api/character/\(path)",
            times: .any,
            response: .json(count == 1 ? rows[1] : "[\(rows.joined(separator: ","))]")
        )
        let model = container().locationDetailViewModel()
        await model.show(RickAndMorty.Location.ID(rawValue: 3))
        #expect(model.state.related.rows.map(\.id.rawValue) == [2, 1].prefix(count).map(Int64.init))
        #expect(server.requests.count == (count == 0 ? 1 : 2))
    }
}
