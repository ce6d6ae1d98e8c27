import Testing
import WebDriver

extension BrowserSuite {
    struct KeyboardTests {
        @Test("The first Tab leads to a visible link that skips to the content")
        func skip() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/users?q=octocat", of: site)
                    try await browser.press(.tab)
                    let link = try await browser.focused
                    #expect(try await link.attribute("href")?.hasSuffix("#main") == true)
                    let top = try await browser.execute("return document.activeElement.getBoundingClientRect().top")
                    try await browser.wait(until: "the link is visible") {
                        try await browser.execute("return document.activeElement.getBoundingClientRect().top").number
                            ?? -1 >= 0
                    }
                    #expect(top != .null)
                    try await browser.press(.enter)
                    try await browser.wait(until: "the content has the focus") {
                        try await browser.execute("return document.activeElement.id") == "main"
                    }
                }
            }
        }

        @Test("Tab reaches every control in the order of the page, and each shows its focus")
        func order() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/users?q=octocat", of: site)
                    let controls = try await browser.execute(
                        """
                        return [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, summary')]
                            .filter(control => control.checkVisibility()).length
                        """
                    )
                    var last = -1.0
                    for step in 0..<Int(controls.number ?? 0) {
                        try await browser.press(.tab)
                        let focus = try await browser.execute(Self.focusScript)
                        #expect((focus["position"].number ?? -1) > last, "Step \(step): \(focus["name"])")
                        #expect(focus["isVisible"] == true, "Step \(step): \(focus["name"])")
                        last = focus["position"].number ?? -1
                    }
                    #expect(last == (controls.number ?? 0) - 1)
                }
            }
        }

        @Test("On a phone, Tab brings each tab and each picture of a strip into view")
        func strips() async throws {
            try await TestSite.run { site in
                try await site.browse(BrowserOptions(viewport: .phone)) { browser in
                    try await browser.open("/app-store/apps/1500000001", of: site)
                    for _ in 0..<20 {
                        try await browser.press(.tab)
                        let hidden = try await browser.execute(
                            """
                            const focused = document.activeElement, box = focused.getBoundingClientRect();
                            const isHidden = focused.closest('.site nav, .pictures') && (box.left < 0 || box.right > innerWidth);
                            return isHidden ? focused.outerHTML : '';
                            """
                        )
                        #expect(hidden == "")
                    }
                }
            }
        }

        @Test("Tab follows the order in which the site's header is shown", arguments: [320, 768, 1_280])
        func headerOrder(width: Int) async throws {
            try await TestSite.run { site in
                let viewport = BrowserOptions.Viewport(width: width, height: 800, isPhone: width < 700)
                try await site.browse(BrowserOptions(viewport: viewport)) { browser in
                    try await browser.open("/favorites", of: site)
                    let misplaced = try await browser.execute(
                        """
                        const controls = [...document.querySelectorAll('.site :is(a, button, summary)')]
                            .filter(control => control.checkVisibility());
                        const boxes = controls.map(control => control.getBoundingClientRect());
                        return controls.filter((_, i) => i > 0 && boxes[i].bottom <= boxes[i - 1].top)
                            .map(control => control.textContent);
                        """
                    )
                    #expect(misplaced == [])
                }
            }
        }

        @Test("The settings close when Tab leaves them, and Escape leads back to their button")
        func settings() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/users", of: site)
                    func open() async throws {
                        try await browser.execute("document.querySelector('.settings summary').focus()")
                        try await browser.press(.enter)
                        try await browser.press(.tab)
                        #expect(try await browser.focused.text == "English")
                    }
                    try await open()
                    try await browser.press("\u{E00C}")
                    #expect(try await browser.focused.text == "Settings")
                    #expect(try await browser.findAll(".settings[open]").isEmpty)
                    try await open()
                    for name in ["한국어", "System", "Light", "Dark"] {
                        try await browser.press(.tab)
                        #expect(try await browser.focused.text == name)
                    }
                    try await browser.press(.tab)
                    #expect(try await browser.focused.text == "Users")
                    #expect(try await browser.findAll(".settings[open]").isEmpty)
                    try await open()
                    try await browser.press(.tab)
                    try await browser.waitForNavigation { try await browser.press(.enter) }
                    try await browser.wait(until: "the button has the focus") {
                        try await browser.execute("return document.activeElement.id") == "settings"
                    }
                    #expect(try await browser.location == "/users")
                }
            }
        }

        @Test("A user is searched for, made a favorite, and removed with the keyboard only")
        func job() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/users", of: site)
                    try await browser.tab(to: "INPUT")
                    try await browser.type("octocat")
                    try await browser.wait(for: "#rows .row", containing: "octocat")
                    try await browser.tab(to: "Favorite: octocat")
                    try await browser.press(.enter)
                    try await browser.waitForFavorite("octocat")
                    // The row was replaced, but the focus stays, so the same key undoes it.
                    #expect(try await browser.execute("return document.activeElement.ariaLabel") == "Favorite: octocat")
                    try await browser.press(.space)
                    try await browser.waitForFavorite("octocat", false)
                }
            }
        }

        /// sourcegraph/sourcegraph-public-snapshot#34970
        @Test("After the link to the last rows, the next Tab leads to them, and not to the start of the page")
        func more() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/github/users/octocat/followers?rows=200", of: site)
                    try await browser.wait(for: 200, of: "#rows .row")
                    try await browser.wait(for: "body[data-live]")
                    try await browser.execute(
                        "const link = document.querySelector('#more a'); link.focus(); link.click();"
                    )
                    try await browser.wait(for: 257, of: "#rows .row")
                    try await browser.waitForNo("#more a")
                    let position =
                        "return [...document.querySelectorAll('#rows .row')].indexOf(document.activeElement.closest('.row'))"
                    #expect(try await browser.execute(position) == 199)
                    for _ in 0..<2 { try await browser.press(.tab) }
                    #expect(try await browser.execute(position) == 200)
                }
            }
        }

        @Test("A control keeps the focus when its row moves")
        func moves() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/users?q=everyone-000", of: site)
                    try await browser.wait(for: "body[data-live]")
                    let name = try await browser.execute(
                        """
                        const rows = [...document.querySelectorAll('#rows > .row')];
                        const order = rows.map((row) => row.dataset.row).reverse();
                        window.fetch = async () => Response.json({ order });
                        const button = document.getElementById('row-' + order[0]).querySelector('button');
                        button.focus();
                        button.click();
                        return button.ariaLabel;
                        """
                    )
                    try await browser.wait(until: "the last row is the first") {
                        try await browser.execute("return document.querySelector('#rows button').ariaLabel") == name
                    }
                    #expect(try await browser.execute("return document.activeElement.ariaLabel") == name)
                }
            }
        }

        private static let focusScript = """
            const all = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, summary')]
                .filter(control => control.checkVisibility());
            const element = document.activeElement;
            const outlines = [undefined, '::after'].map(part => getComputedStyle(element, part));
            return {
                position: all.indexOf(element),
                name: element.ariaLabel || element.textContent || element.name,
                isVisible: outlines.some(style => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2),
            };
            """
    }
}

extension Browser {
    /// Presses Tab until an element has the focus, given by its accessible name or the name of its tag.
    func tab(to name: String) async throws {
        for _ in 0..<200 {
            try await press(.tab)
            let found = try await execute("const e = document.activeElement; return [e.ariaLabel, e.tagName]")
            if found.array?.contains(.string(name)) == true { return }
        }
        Issue.record("Tab doesn't reach \(name).")
    }
}
