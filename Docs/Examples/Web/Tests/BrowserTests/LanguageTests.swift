import Testing
import WebDriver

extension BrowserSuite {
    struct LanguageTests {
        @Test("A Korean browser gets a Korean page")
        func preferred() async throws {
            try await TestSite.run { site in
                try await site.browse(BrowserOptions(language: "ko")) { browser in
                    try await browser.open("/users", of: site)
                    #expect(try await browser.find("html").attribute("lang") == "ko")
                    #expect(try await browser.find("h1").text == "사용자")
                    #expect(try await browser.find(".site nav").text.contains("즐겨찾기"))
                }
            }
        }

        @Test("The chosen language stays, also on other pages")
        func chosen() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/characters", of: site)
                    try await browser.choose("한국어")
                    #expect(try await browser.find("h1").text == "등장인물")
                    try await browser.open("/episodes", of: site)
                    #expect(try await browser.find("h1").text == "에피소드")
                    try await browser.choose("English")
                    #expect(try await browser.find("h1").text == "Episodes")
                }
            }
        }

        @Test("Korean is found, and its characters aren't drawn as boxes")
        func glyphs() async throws {
            try await TestSite.run { site in
                try await site.browse(BrowserOptions(language: "ko")) { browser in
                    try await browser.open("/users", of: site)
                    let drawings = try await browser.execute(
                        """
                        return ['한', '글', '\\u{10FFFF}'].map(text => {
                            const canvas = document.createElement('canvas');
                            canvas.width = canvas.height = 40;
                            const context = canvas.getContext('2d');
                            context.font = '30px ' + getComputedStyle(document.body).fontFamily;
                            context.fillText(text, 4, 32);
                            return canvas.toDataURL();
                        });
                        """
                    )
                    #expect(Set(drawings.array ?? []).count == 3, "Install fonts-noto-cjk")
                }
            }
        }
    }
}
