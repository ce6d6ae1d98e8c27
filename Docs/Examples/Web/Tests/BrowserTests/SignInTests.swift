import BrowseMocks
import Testing
import WebDriver

extension BrowserSuite {
    struct SignInTests {
        @Test("Signing in with a browser uses the chosen account", arguments: ["octocat", "haneul-kim"])
        func browserFlow(account: String) async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.signIn(as: account, at: site)
                    try await browser.open("/account", of: site)
                    try await browser.wait(for: "main", containing: account)
                    try await browser.click("button[value=ask-to-sign-out]")
                    try await browser.wait(for: ".question:focus button[value=sign-out]")
                    #expect(try await browser.findAll("button[value=ask-to-sign-out]").isEmpty)
                    try await browser.click("button[value=sign-out]")
                    try await browser.wait(until: "the account is gone") { try await !browser.text.contains(account) }
                    for page in ["/account", "/github/stars"] {
                        try await browser.open(page, of: site)
                        try await browser.wait(for: "main a[href^=\"/sign-in\"]")
                        #expect(try await !browser.text.contains(account))
                    }
                    try await browser.signIn(as: account, at: site)
                }
            }
        }

        @Test("Signing in with a device code shows the code and then the account")
        func deviceFlow() async throws {
            let clock = TestClock()
            try await TestSite.run(clock: clock) { site in
                try await site.browse { browser in
                    try await browser.open("/sign-in", of: site)
                    try await browser.press(button: "Sign In with a Code")
                    // There is time to enter it.
                    for _ in 0..<3 {
                        try await browser.wait(for: ".code", containing: "WDJB-MJHT")
                        // The poll, the heartbeat, and the sweep.
                        await clock.waitForSleepers(3)
                        await clock.advance(by: .seconds(5))
                    }
                    try await browser.wait(for: ".code", containing: "WDJB-MJHT")
                    try await browser.wait(until: "the account") {
                        await clock.advance(by: .seconds(5))
                        return try await browser.text.contains("You’re signed in as octocat")
                    }
                    try await browser.open("/account", of: site)
                    try await browser.wait(for: "main", containing: "octocat")
                }
            }
        }
    }
}

extension Browser {
    /// Signs in as an account of the fixtures, on the page of the authorization server.
    func signIn(as account: String, at site: TestSite) async throws {
        try await open("/sign-in", of: site)
        try await waitForNavigation { try await press(button: "Sign In with GitHub") }
        try await waitForNavigation { try await press(button: account) }
        try await open("/account", of: site)
        try await wait(for: "main", containing: account)
    }
}
