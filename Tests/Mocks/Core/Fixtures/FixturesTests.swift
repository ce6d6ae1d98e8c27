import BrowseData
import BrowseMocks
import Foundation
import TestLimits
import Testing

@Suite(.bounded)
struct FixturesTests {
    @Test(arguments: [
        (Fixtures.gitHub, "error-not-found"), (Fixtures.rickAndMorty, "character-1"),
        (Fixtures.appStore, "error-invalid"),
    ])
    func `Every listed fixture can be read and is JSON`(fixtures: Fixtures, known: String) throws {
        let names = fixtures.names
        #expect(names.contains(known))
        #expect(names == names.sorted())
        for name in names {
            #expect(throws: Never.self, "\(name)") { try JSONSerialization.jsonObject(with: fixtures[name]) }
        }
    }

    @Test func `A missing fixture is named, together with those that there are`() {
        let error = #expect(throws: Fixtures.Missing.self) { try Fixtures.gitHub["user-octocats"] }
        #expect(error?.name == "user-octocats")
        #expect(error?.description.hasPrefix("There is no fixture \"user-octocats\". There are: ") == true)
        #expect(error?.description.contains("user-octocat,") == true)
    }

    @Test func `A missing fixture is explained if there are none, or if only the ending is wrong`() {
        let ending = #expect(throws: Fixtures.Missing.self) { try Fixtures.gitHub["user-octocat.json"] }
        #expect(ending?.description.hasPrefix("There is no fixture \"user-octocat.json\". Omit “.json”.") == true)
        let none = #expect(throws: Fixtures.Missing.self) { try Fixtures([:])["user"] }
        #expect(none?.description.contains(#"There are none. Add their folder to the target"#) == true)
    }

    @Test(
        arguments: [
            "", "/", ".", "..", "Fixtures", "Fixtures/", "/user-octocat", "../Fixtures/user-octocat", "./user-octocat",
            "user-octocat.json", "user-octocat\0", "🐙", "user-octocat?x=1", "%75ser-octocat", "user//octocat",
            String(repeating: "x", count: 10_000),
        ]
    )
    func `A name that is none is missing, and leads nowhere else`(name: String) {
        let error = #expect(throws: Fixtures.Missing.self) { try Fixtures.gitHub[name] }
        #expect(error?.name == name)
    }

    @Test func `Data of an app can be in any form of JSON`() async throws {
        for name in ["character-1", "episode-1", "location-1"] {
            let page = try JSONSerialization.jsonObject(with: Fixtures.rickAndMorty[name])
            let pretty = try JSONSerialization.data(withJSONObject: page, options: [.prettyPrinted, .sortedKeys])
            let service = try OfflineRickAndMorty(data: Fixtures([name: pretty]))
            let path = "/" + (name.split(separator: "-").first ?? "")
            #expect(try await service.transport().get(path).status == 200)
        }
    }

    @Test func `The rows of a file begin after its byte order mark`() {
        let file = Data([0xEF, 0xBB, 0xBF]) + Data("[{\"a\": 1}, 2]\r\n".utf8)
        #expect(file.jsonRows()?.map { String(decoding: $0, as: UTF8.self) } == ["{\"a\": 1}", "2"])
    }

    @Test func `Added fixtures replace those with the same name`() throws {
        let all = Fixtures.gitHub.adding(Fixtures(["user-octocat": Data("1".utf8), "user-mona": Data("2".utf8)]))
        #expect(try all["user-octocat"] == Data("1".utf8))
        #expect(try all["user-mona"] == Data("2".utf8))
        #expect(try all["user-lonely"] == Fixtures.gitHub["user-lonely"])
        #expect(all.names == (Fixtures.gitHub.names + ["user-mona"]).sorted())
    }
}
