import Testing
import WebDriver

extension BrowserSuite {
    struct ListTests {
        @Test("Scrolling loads the next pages until the end")
        func scrolling() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/github/users/octocat/followers", of: site)
                    try await browser.wait(for: 100, of: "#rows .row")
                    let first = try await browser.rowTitles.first
                    for count in [200, 257] {
                        try await browser.wait(for: count, of: "#rows .row", scrolling: true)
                    }
                    #expect(try await browser.rowTitles.first == first)
                    #expect(Set(try await browser.rowTitles).count == 257)
                    try await browser.waitForNo("#more a")
                }
            }
        }

        @Test("Going back finds the rows that were loaded by scrolling and by the link")
        func back() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/github/users/octocat/followers", of: site)
                    try await browser.wait(for: 200, of: "#rows .row", scrolling: true)
                    try await browser.wait(forLocation: "/github/users/octocat/followers?rows=200")
                    // As a screen reader clicks, without scrolling.
                    try await browser.execute("document.querySelector('#more a')?.click()")
                    try await browser.wait(for: 257, of: "#rows .row")
                    try await browser.wait(forLocation: "/github/users/octocat/followers?rows=257")
                    let last = try await browser.rowTitles[256]
                    // Rows outside of the screen have estimated heights, so a click by position could hit another row.
                    try await browser.waitForNavigation {
                        try await browser.execute("document.querySelector('#rows .row:last-child a').click()")
                    }
                    try await browser.wait(for: "h1", containing: last)
                    try await browser.goBack()
                    try await browser.wait(for: 257, of: "#rows .row")
                }
            }
        }

        @Test("The filter shows matching followers, and clearing it shows all again")
        func filter() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/github/users/octocat/followers", of: site)
                    try await browser.wait(for: 100, of: "#rows .row")
                    let field = try await browser.find("#form input")
                    try await field.type("haneul")
                    try await browser.wait(until: "only matching rows") {
                        let titles = try await browser.rowTitles
                        return !titles.isEmpty && titles.allSatisfy { $0.contains("haneul") }
                    }
                    for _ in "haneul" { try await field.type("\u{E003}") }
                    // More pages may have been loaded meanwhile, to fill the screen with matching rows.
                    try await browser.wait(until: "all rows") { try await browser.rowTitles.count >= 100 }
                }
            }
        }

        @Test("Going back to a filtered list finds the matching rows of all pages that were loaded")
        func filteredBack() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/github/users/octocat/followers?rows=257", of: site)
                    try await browser.wait(for: 257, of: "#rows .row")
                    let last = try await browser.rowTitles[256]
                    try await browser.find("#form input").type(last)
                    try await browser.wait(forTitles: [last])
                    try await browser.wait(until: "the address has the filter and the rows") {
                        let query = try await browser.execute("return location.search").string ?? ""
                        return query.contains("filter=") && query.contains("rows=257")
                    }
                    try await browser.waitForNavigation {
                        try await browser.execute("document.querySelector('#rows .row:last-child a').click()")
                    }
                    try await browser.wait(for: "h1", containing: last)
                    try await browser.goBack()
                    try await browser.wait(forTitles: [last])
                }
            }
        }

        /// meanbee/magento-infinite-scroll#4
        @Test("A search to which a person returns loads its next page by scrolling again")
        func again() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/users?q=everyone", of: site)
                    try await browser.wait(for: 200, of: "#rows .row", scrolling: true)
                    let field = try await browser.find("input[name=q]")
                    try await field.type("-0042")
                    try await browser.wait(forTitles: ["everyone-0042"])
                    for _ in "-0042" { try await field.type("\u{E003}") }
                    try await browser.wait(for: 100, of: "#rows .row")
                    try await browser.wait(for: 200, of: "#rows .row", scrolling: true)
                }
            }
        }

        @Test("All rows can be opened by its address")
        func address() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/github/users/octocat/followers?rows=257", of: site)
                    try await browser.wait(for: 257, of: "#rows .row")
                }
            }
        }
    }
}

extension Browser {
    /// Scrolls to the end of the page until it has a number of elements.
    ///
    /// It doesn't scroll with that number of elements, so that no more are loaded.
    func wait(for count: Int, of selector: String, scrolling: Bool) async throws {
        try await wait(until: "\(count) elements \(selector)") {
            let found = try await execute(
                """
                const found = document.querySelectorAll(arguments[0]).length;
                if (found < arguments[1]) window.scrollTo(0, document.documentElement.scrollHeight);
                return found;
                """,
                .string(selector),
                .number(Double(count))
            )
            return found.number == Double(count)
        }
    }
}
