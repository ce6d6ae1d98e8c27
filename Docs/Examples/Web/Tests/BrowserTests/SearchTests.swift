import Testing
import WebDriver

extension BrowserSuite {
    struct SearchTests {
        @Test("A field that was cleared says what to enter, as before the first text")
        func cleared() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/users", of: site)
                    try await browser.wait(for: "#status", containing: "Enter text")
                    try await browser.find("input[name=q]").type("octocat")
                    try await browser.wait(for: "#rows .row")
                    try await browser.find("input[name=q]").type(String(repeating: "\u{E003}", count: 7))
                    try await browser.wait(for: "#status", containing: "Enter text")
                    try await browser.waitForNo("#rows .row")
                }
            }
        }

        @Test("Users are found while typing, and blank text clears them")
        func typing() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/users", of: site)
                    let field = try await browser.find("input[name=q]")
                    try await field.type("octocat")
                    try await browser.wait(for: "#rows .row", containing: "octocat")
                    #expect(try await browser.find("#status").attribute("data-status") != "failed")
                    // The field is the same element: live updates never take the text away that a person types.
                    #expect(try await field.property("value") == "octocat")
                    for _ in "octocat" { try await field.type("\u{E003}") }
                    try await browser.waitForNo("#rows .row")
                }
            }
        }

        @Test("A search goes on while the browser accepts no more changes of the address, as WebKit after 100")
        func manyKeys() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/users", of: site)
                    try await browser.execute(
                        """
                        history.pushState = () => { throw new DOMException('', 'SecurityError'); };
                        history.replaceState = history.pushState;
                        """
                    )
                    try await browser.find("input[name=q]").type("everyone-0042")
                    try await browser.wait(forTitles: ["everyone-0042"])
                }
            }
        }

        @Test("The last text wins")
        func lastText() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/users", of: site)
                    let field = try await browser.find("input[name=q]")
                    try await field.type("everyone")
                    try await field.type("-0042")
                    try await browser.wait(forTitles: ["everyone-0042"])
                }
            }
        }

        @Test("A search that was typed can be reloaded and gone back to")
        func reload() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/users", of: site)
                    try await browser.find("input[name=q]").type("everyone-0042")
                    try await browser.wait(forTitles: ["everyone-0042"])
                    try await browser.reload()
                    try await browser.wait(forTitles: ["everyone-0042"])
                    try await browser.follow("everyone-0042")
                    try await browser.goBack()
                    try await browser.wait(forTitles: ["everyone-0042"])
                    #expect(try await browser.find("input[name=q]").property("value") == "everyone-0042")
                }
            }
        }

        @Test("Repositories are found while typing, and sorted by choice")
        func repositories() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/repos", of: site)
                    try await browser.find("input[name=q]").type("tentacles")
                    try await browser.wait(for: "#rows .row", containing: "hello-tentacles")
                }
            }
        }
    }
}
