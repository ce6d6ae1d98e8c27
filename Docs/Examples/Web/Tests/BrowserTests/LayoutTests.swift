import Foundation
import Testing
import WebDriver

extension BrowserSuite {
    struct LayoutTests {
        /// A page of each kind that the site has without a sign-in in progress.
        static let pages = [
            "/", "/users", "/users?q=octo", "/github/users/octocat", "/github/users/octocat/followers",
            "/github/users/octocat/repos",
            "/repos?q=kernel",
            "/favorites", "/characters", "/rick-and-morty/characters/1", "/episodes", "/rick-and-morty/episodes/1",
            "/locations", "/rick-and-morty/locations/1",
            "/apps?q=a", "/app-store/apps/1500000001", "/app-store/apps/1500000001/screenshots/1", "/sign-in",
            "/account",
        ]

        @Test("No page scrolls horizontally", arguments: [320, 768, 1_280])
        func width(_ width: Int) async throws {
            try await TestSite.run { site in
                let viewport = BrowserOptions.Viewport(width: width, height: 800, isPhone: width < 700)
                for language in ["en-US", "ko"] {
                    try await site.browse(BrowserOptions(language: language, viewport: viewport)) { browser in
                        for page in site.pages {
                            try await browser.open(page, of: site)
                            let overflow = try await browser.execute(
                                "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
                            )
                            #expect(overflow == 0, "\(page) at \(width) in \(language)")
                        }
                    }
                }
            }
        }

        @Test(
            "The title of a repository breaks between words, beside the top of the picture",
            arguments: [320, 375, 447]
        )
        func repoTitle(_ width: Int) async throws {
            try await TestSite.run { site in
                let viewport = BrowserOptions.Viewport(width: width, height: 800, isPhone: true)
                try await site.browse(BrowserOptions(viewport: viewport)) { browser in
                    for query in ["rusty-kernel", "hello"] {
                        try await browser.open("/repos?q=\(query)", of: site)
                        try await browser.followLink(in: "#rows", startingWith: "/github/repos/")
                        #expect(try await browser.execute(Self.brokenWords) == [], "\(query)")
                        let tops =
                            "return ['h1', '#header > img'].map(e => document.querySelector(e).getBoundingClientRect().top)"
                        let top = try await browser.execute(tops).array?.compactMap(\.number) ?? []
                        #expect(abs(top[0] - top[1]) < 40, "\(query)")
                    }
                }
            }
        }

        @Test(
            "On the start, no card and no character is alone in a row",
            arguments: [(1_280, 6, 3), (768, 3, 3), (375, 2, 1)]
        )
        func start(width: Int, characters: Int, cards: Int) async throws {
            try await TestSite.run { site in
                let viewport = BrowserOptions.Viewport(width: width, height: 800, isPhone: width < 700)
                try await site.browse(BrowserOptions(viewport: viewport)) { browser in
                    try await browser.open("/", of: site)
                    let columns = try await browser.execute(
                        """
                        return ['#rows', '.cards'].map(list => new Set([...document.querySelector(list).children]
                            .map(item => item.getBoundingClientRect().left)).size)
                        """
                    )
                    #expect(columns == [.number(Double(characters)), .number(Double(cards))])
                }
            }
        }

        @Test("On a phone, the choices of a search are equally wide, and a preview fits", arguments: [320, 375])
        func phoneWidths(_ width: Int) async throws {
            try await TestSite.run { site in
                let viewport = BrowserOptions.Viewport(width: width, height: 800, isPhone: true)
                try await site.browse(BrowserOptions(viewport: viewport)) { browser in
                    try await browser.open("/repos?q=kernel", of: site)
                    let selects = "return [...document.querySelectorAll('select')].map(select => select.offsetWidth)"
                    let widths = try await browser.execute(selects).array ?? []
                    #expect(widths.count == 2 && widths.first == widths.last, "\(widths)")
                    try await browser.open("/app-store/apps/1500000001", of: site)
                    let edges = try await browser.execute(
                        """
                        const box = element => document.querySelector(element).getBoundingClientRect();
                        return [box('.pictures').right - box('#details').right, box('.pictures img').width < box('#details').width];
                        """
                    )
                    #expect(edges == [0, true])
                }
            }
        }

        @Test("Titles have room on a small phone with text of twice the size")
        func largeText() async throws {
            try await TestSite.run { site in
                try await site.browse(BrowserOptions(viewport: .smallPhone)) { browser in
                    for page in site.pages {
                        try await browser.open(page, of: site)
                        let widths = try await browser.execute(
                            """
                            document.documentElement.style.fontSize = '200%';
                            const root = document.documentElement;
                            return [root.scrollWidth - root.clientWidth, document.querySelector('h1').clientWidth];
                            """
                        )
                        #expect(try await browser.execute(Self.brokenWords) == [], "\(page)")
                        #expect(widths.array?.first == 0, "\(page)")
                        #expect(widths.array?.last?.number ?? 0 > 200, "\(page)")
                    }
                }
            }
        }

        @Test("All text has enough contrast", arguments: [BrowserOptions.ColorScheme.light, .dark])
        func contrast(_ scheme: BrowserOptions.ColorScheme) async throws {
            try await TestSite.run { site in
                try await site.browse(BrowserOptions(colorScheme: scheme)) { browser in
                    for page in site.pages {
                        try await browser.open(page, of: site)
                        let failures = try await browser.execute(Self.contrastScript)
                        #expect(failures == [], "\(page)")
                    }
                }
            }
        }

        @Test("Light and dark pages differ as the browser prefers")
        func schemes() async throws {
            try await TestSite.run { site in
                try await site.browse(BrowserOptions(colorScheme: .light)) { browser in
                    try await browser.open("/users", of: site)
                    let light = try await browser.execute("return getComputedStyle(document.body).backgroundColor")
                    try await browser.setColorScheme(.dark)
                    let dark = try await browser.execute("return getComputedStyle(document.body).backgroundColor")
                    #expect(light != dark)
                }
            }
        }

        /// xroche/httrack#1158, tabler/tabler#1122
        @Test("A page is printed in dark text on white, without what can only be pressed")
        func print() async throws {
            try await TestSite.run { site in
                try await site.browse(BrowserOptions(colorScheme: .dark)) { browser in
                    try await browser.open("/github/users/octocat", of: site)
                    try await browser.choose("Dark")
                    try await browser.devTools("Emulation.setEmulatedMedia", ["media": "print"])
                    let colors = try await browser.execute(
                        """
                        const style = getComputedStyle(document.body);
                        return [style.backgroundColor, style.color];
                        """
                    )
                    #expect(colors == ["rgb(255, 255, 255)", "rgb(20, 24, 31)"])
                    let controls = try await browser.execute(
                        """
                        return [...document.querySelectorAll('.site, button, input')]
                            .filter(control => control.checkVisibility()).map(control => control.outerHTML)
                        """
                    )
                    #expect(controls == [])
                    #expect(try await !browser.find("h1").text.isEmpty)
                }
            }
        }

        /// yuin/goldmark#309, antiwork/gumroad#6138
        @Test("Each text begins at the side of its own script")
        func direction() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    try await browser.open("/github/repos/5000043831", of: site)
                    let gaps = try await browser.execute(
                        """
                        return ['שלום!', 'hello!'].flatMap(text => ['h1', '.markdown p', 'dd'].map(selector => {
                            const element = document.querySelector(selector), range = document.createRange();
                            element.textContent = text;
                            range.selectNodeContents(element);
                            const [box, words] = [element, range].map(part => part.getBoundingClientRect());
                            return Math.abs(box.right - words.right) < 1 ? 'right' : Math.abs(box.left - words.left) < 1 ? 'left' : '';
                        }));
                        """
                    )
                    #expect(gaps == ["right", "right", "right", "left", "left", "left"])
                }
            }
        }

        @Test("Headings are in order, images are described, and controls have names")
        func structure() async throws {
            try await TestSite.run { site in
                try await site.browse { browser in
                    for page in site.pages {
                        try await browser.open(page, of: site)
                        #expect(try await browser.execute(Self.structureScript) == [], "\(page)")
                    }
                }
            }
        }

        /// Returns the words of the title that are on two lines.
        private static let brokenWords = """
            const broken = [];
            const texts = document.createTreeWalker(document.querySelector('h1'), NodeFilter.SHOW_TEXT);
            while (texts.nextNode()) {
                const text = texts.currentNode;
                for (const { 0: word, index } of text.nodeValue.matchAll(/[^\\s\\/-]+/g)) {
                    const range = document.createRange();
                    range.setStart(text, index);
                    range.setEnd(text, index + word.length);
                    if (new Set([...range.getClientRects()].map(box => box.top)).size > 1) broken.push(word);
                }
            }
            return broken;
            """

        /// Returns the texts whose contrast is below 4.5, or 3 if they're large (WCAG 2.2, criterion 1.4.3).
        private static let contrastScript = """
            const channels = color => {
                const canvas = document.createElement('canvas');
                const context = canvas.getContext('2d', {willReadFrequently: true});
                context.fillStyle = color;
                context.fillRect(0, 0, 1, 1);
                return [...context.getImageData(0, 0, 1, 1).data];
            };
            const linear = value => (value /= 255) <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
            const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
            const over = (top, below) => top.slice(0, 3).map((v, i) => v * top[3] / 255 + below[i] * (1 - top[3] / 255));
            const background = element => {
                if (!element) return [255, 255, 255];
                const color = channels(getComputedStyle(element).backgroundColor);
                return color[3] === 255 ? color : over(color, background(element.parentElement));
            };
            // A transition shows colors in between.
            for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish();
            const failures = [];
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) {
                const text = walker.currentNode.textContent.trim(), element = walker.currentNode.parentElement;
                if (!text || !element.checkVisibility() || element.closest('script, noscript')) continue;
                const style = getComputedStyle(element), below = background(element);
                const [one, two] = [luminance(over(channels(style.color), below)), luminance(below)].sort((a, b) => b - a);
                const size = parseFloat(style.fontSize), isLarge = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
                const ratio = (one + 0.05) / (two + 0.05);
                if (ratio < (isLarge ? 3 : 4.5)) failures.push(text + ' ' + ratio.toFixed(2));
            }
            return failures;
            """

        /// Returns what assistive technology would miss.
        private static let structureScript = """
            const problems = [];
            let level = 0;
            for (const heading of document.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
                const next = Number(heading.tagName[1]);
                if (next > level + 1) problems.push(`h${next} after h${level}: ${heading.textContent}`);
                level = next;
            }
            if (document.querySelectorAll('h1').length !== 1) problems.push('not one h1');
            if (document.querySelectorAll('main').length !== 1) problems.push('not one main');
            if (!document.documentElement.lang) problems.push('no language');
            for (const image of document.querySelectorAll('img:not([alt])')) problems.push('no alt: ' + image.src);
            for (const field of document.querySelectorAll('input:not([type=hidden]), select, textarea')) {
                if (!field.labels.length && !field.ariaLabel) problems.push('no label: ' + field.name);
            }
            for (const control of document.querySelectorAll('button, a')) {
                const name = control.ariaLabel || control.textContent.trim() || control.querySelector('img')?.alt;
                if (!name) problems.push('no name: ' + control.outerHTML);
            }
            for (const control of document.querySelectorAll('button, select, input:not([type=hidden]), .site a, :is(.links, .remark, dd) a')) {
                const { width, height } = control.getBoundingClientRect();
                if (control.checkVisibility() && (width < 24 || height < 24)) problems.push('small: ' + control.outerHTML);
            }
            for (const mark of document.querySelectorAll('nav, [role=group]')) if (!mark.ariaLabel) problems.push('a landmark');
            const ids = [...document.querySelectorAll('[id]')].map(element => element.id);
            if (new Set(ids).size !== ids.length) problems.push('an id twice');
            return problems;
            """
    }
}
