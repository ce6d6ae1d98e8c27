import BrowseMocks
import Foundation
import Testing

struct FixtureTests {
    @Test
    func `A fixture is found by its name`() throws {
        let fixture = try Fixture("GitHub/user-octocat")
        #expect(fixture.name == "GitHub/user-octocat")
        let profile = try #require(JSONSerialization.jsonObject(with: fixture.data) as? [String: Any])
        #expect(profile["login"] as? String == "octocat")
    }

    @Test(arguments: [
        ("GitHub", "GitHub/error-not-found"), ("RickAndMorty", "RickAndMorty/character-1"),
        ("AppStore", "AppStore/error-invalid"),
    ])
    func `Every listed fixture can be read and is JSON`(folder: String, known: String) throws {
        let names = try Fixture.names(in: folder)
        #expect(names.contains(known))
        #expect(names == names.sorted())
        for name in names {
            #expect(throws: Never.self, "\(name)") { try JSONSerialization.jsonObject(with: Fixture(name).data) }
        }
    }

    @Test
    func `A missing fixture is named, together with those that there are`() {
        let error = #expect(throws: Fixture.Missing.self) { try Fixture("GitHub/user-octocats") }
        #expect(error == Fixture.Missing(name: "GitHub/user-octocats"))
        #expect(
            error?.description.hasPrefix("BrowseMocks has no fixture \"GitHub/user-octocats\". There are: ") == true
        )
        #expect(error?.description.contains("GitHub/user-octocat,") == true)
    }

    @Test(
        arguments: [
            "", "/", ".", "..", "GitHub", "GitHub/", "/GitHub/user-octocat", "GitHub//user-octocat", "user-octocat",
            "GitHub/../GitHub/user-octocat", "GitHub/./user-octocat", "GitHub/user-octocat.json",
            "GitHub/user-octocat\0",
            "GitHub/🐙", "GitHub/user-octocat?x=1", "GitHub/%75ser-octocat", String(repeating: "x", count: 10_000),
        ]
    )
    func `A name that is none is missing, and leads nowhere else`(name: String) {
        #expect(throws: Fixture.Missing(name: name)) { try Fixture(name) }
    }

    @Test(arguments: ["", "..", "Nowhere", "GitHub/../GitHub"])
    func `A folder that is none is missing`(folder: String) {
        #expect(throws: Fixture.Missing.self) { try Fixture.names(in: folder) }
    }
}
