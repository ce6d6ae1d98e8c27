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

    /// mangerlahn/Latest#113, lionheart/openradar-mirror#3198, AppsAgg/AppAgg#23
    @Test func `an app names its system, is one row, and is free only if the store says so`() async {
        let more = #""minimumOsVersion":"9.0","releaseDate":"2027-03-01T08:00:00Z""#
        server.on(.any, response: .apps(more, more + #","screenshotUrls":["https://i.example/1.png"]"#))
        let all = Container.reports(server, clock: TestClock()) { $0.appStore.platform = .mac }
        #expect(await all.apps(for: "tea").state.content.rows.count == 1)
        let details = await all.app().state.content.details
        #expect(details?["minimumOS"]?.value.contains("iOS") == true && details?["price"]?.isMissing == true)
        #expect(details?.facts.contains { $0.value.contains("Free") || $0.value.contains("0.00") } == false)
    }

    /// mpalazzolo/apple-music-python#25
    @Test(arguments: [
        ("카카오 톡", "카카오 톡", "%EC%B9%B4%EC%B9%B4%EC%98%A4%20%ED%86%A1"),
        ("C++ 배우기".decomposedStringWithCanonicalMapping, "C++ 배우기", "C%2B%2B%20%EB%B0%B0%EC%9A%B0%EA%B8%B0"),
    ])
    func `a term is encoded once, in composed form`(typed: String, sent: String, encoded: String) async {
        server.on(.any, response: .apps())
        _ = await Container.reports(server, clock: ImmediateClock()).apps(for: typed)
        let request = server.requests.first
        #expect(request?.item("term").map { Array($0.utf8) } == Array(sent.utf8))
        #expect(request?.url.query(percentEncoded: true)?.hasPrefix("term=\(encoded)&") == true)
    }
}
