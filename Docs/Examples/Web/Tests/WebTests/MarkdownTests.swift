import BrowseKit
import Testing

@testable import WebApp

@Suite("Markdown")
struct MarkdownTests {
    private func html(_ text: String) -> String { Markdown(text, below: 2).html.map(\.text).joined() }

    @Test("Headings, paragraphs, lists, and code are elements, and no level of headings is left out")
    func blocks() {
        let text =
            "# One\r\n### Two\none\nline\n\n- a\n- b\n\n\ntext\n3. c\n```swift\n# <x>\n\n```\n| a | b |\n|---|---|"
        let list = "<ul><li>a</li><li>b</li></ul><p>text</p><ol start=\"3\"><li>c</li></ol>"
        let code = "<pre><code># &lt;x&gt;\n</code></pre><pre><code>| a | b |\n|---|---|</code></pre>"
        #expect(html(text) == "<h3>One</h3><h4>Two</h4><p>one\nline</p>" + list + code)
    }

    @Test(
        "Styles and links are elements, and what isn't complete stays text",
        arguments: [
            (
                "**a `b`** *c* ***d*** `*e*`",
                "<strong>a <code>b</code></strong> <em>c</em> <em><strong>d</strong></em> <code>*e*</code>"
            ),
            ("2 * 3 * 4, **a, *b** `c", "2 * 3 * 4, **a, *b** `c"), ("![A cat](https://a.example/b.png)", "A cat"),
            ("[a](b.md) [[c] d](", "a [[c] d]("), ("\\*a\\* b\\_c `\\*` \\d \\\\", "*a* b_c <code>\\*</code> \\d \\"),
            ("*a \\* b*\\\n[a\\_b](c) *d*", "*a * b*\na_b <em>d</em>"),
            // dmarcotte/github-markdown-preview#20
            ("a&nbsp;&#8212;**&lt;b&gt;** `&lt;`", "a&nbsp;&#8212;<strong>&lt;b&gt;</strong> <code>&amp;lt;</code>"),
            ("&; && &a b; &\\lt; \\&lt;", "&amp;; &amp;&amp; &amp;a b; &amp;\\lt; &amp;lt;"),
            ("&#x202E;&#8238;&#X301; &#x26A0;&#xFE0F;", "&amp;#x202E;&amp;#8238;&amp;#X301; &#x26A0;&#xFE0F;"),
            ("e&DotDot;&tdot; &#3655;&#x20DD; &dot;", "e&amp;DotDot;&amp;tdot; &amp;#3655;&amp;#x20DD; &dot;"),
        ]
    )
    func styles(_ text: String, _ expected: String) { #expect(html(text) == "<p>\(expected)</p>") }

    @Test(
        "Only a line of nothing else is a rule, or ends code, and code in a line begins no block",
        arguments: [
            ("```npm i```\n# a", "<p><code>npm i</code></p><h3>a</h3>"),
            ("````\n```\na\n```js\n````\nb", "<pre><code>```\na\n```js</code></pre><p>b</p>"),
            ("=== a\n\n--- b\n\n---\nc", "<p>=== a</p><p>--- b</p><p>c</p>"),
            ("~~~\n```\n~~~ ", "<pre><code>```</code></pre>"),
            ("- ```js\n  a\n  ```\n# b", "<pre><code>  a</code></pre><h3>b</h3>"),
            ("a\n* * *\nb\n___\n- -", "<p>a</p><p>b</p><ul><li>-</li></ul>"),
            ("# a # \n#  C#\n    # b", "<h3>a</h3><h3>C#</h3><p># b</p>"),
        ]
    )
    func marks(_ text: String, _ expected: String) { #expect(html(text) == expected) }

    /// docker/hub-feedback#1491, npm/newww#514; sublimehq/package_control#1032
    @Test(
        "Comments aren't shown, but those in code are",
        arguments: [
            ("<!-- a --> <!-- b -->\n# c <!-- d -->", "<h3>c </h3>"),
            ("a\n<!--\n# b\n\n```\n--> *c*", "<p>a</p><p><em>c</em></p>"),
            ("a <!-- b --> c <<!-- d --> <e>", "<p>a  c &lt; &lt;e&gt;</p>"), ("<!-- a", ""),
            ("`<!-- a -->`", "<p><code>&lt;!-- a --&gt;</code></p>"),
            ("```\n<!-- a\n```\nb", "<pre><code>&lt;!-- a</code></pre><p>b</p>"),
        ]
    )
    func comments(_ text: String, _ expected: String) { #expect(html(text) == expected) }

    /// StackExchange/Stacks-Editor#182, Python-Markdown/markdown#15, lepture/mistune#19
    @Test(
        "A heading can be underlined, with any number of marks",
        arguments: [
            ("a *b*\n=\nc\nd\n---  \n- e\n--", "<h3>a <em>b</em></h3><h4>c d</h4><ul><li>e\n--</li></ul>"),
            ("a\n-\nb", "<h3>a</h3><p>b</p>"),
            ("===\n\n| a |\n---\n- b\n---\nc", "<pre><code>| a |</code></pre><ul><li>b</li></ul><p>c</p>"),
            ("a\n    ---\nb\n= =", "<p>a</p><p>b\n= =</p>"),
        ]
    )
    func underlines(_ text: String, _ expected: String) { #expect(html(text) == expected) }

    /// microsoft/vscode#2640, agegr/pi-web#391
    @Test("What other programs read at the beginning isn't a heading")
    func frontMatter() {
        #expect(html("---\ntitle: a\n---\n# b") == "<pre><code>title: a</code></pre><h3>b</h3>")
        #expect(html("---\n# a\n---\nb") == "<h3>a</h3><p>b</p>" && html("---\na: b") == "<p>a: b</p>")
    }

    /// JuliaLang/julia#10515
    @Test("A number of a list ends with a period or a parenthesis")
    func numbers() { #expect(html("2) a\n3) b") == "<ol start=\"2\"><li>a</li><li>b</li></ol>") }

    @Test("Links lead to pages over https only, in a window of their own")
    func links() {
        let link = "<a href=\"https://a.example/\" rel=\"noopener noreferrer nofollow\" target=\"_blank\">b</a>"
        #expect(html("[b](https://a.example/)") == "<p>\(link)</p>")
        #expect(html("[![b](https://c.example/)](https://a.example/)") == "<p>\(link)</p>")
        // Infinitix-LLC/gpt_markdown#122
        for title in [" \"c\"", "  'c (d)'"] {
            #expect(html("[b](https://a.example/\(title))") == "<p>\(link)</p>")
            #expect(html("[![b](c.png\(title))](https://a.example/)") == "<p>\(link)</p>")
        }
        // marktext/marktext#1202, silverbulletmd/silverbullet#1604
        let bareLink = link.replacing(">b<", with: ">https://a.example/<")
        #expect(html("*<https://a.example/>*") == "<p><em>\(bareLink)</em></p>")
        for text in ["<http://a.example>", "<https://a.example b>", "<https://a.example", "<https://>", "<data:x>"] {
            #expect(!html(text).contains("<a "), "\(text)")
        }
        #expect(html("[b](https://a.example/ \"c)") == "<p>[b](https://a.example/ &quot;c)</p>")
        for address in [
            "javascript:alert(1)", "javascript:x", "JaVaScRiPt:x", "data:text/html,x", "//a.example",
            "http://a.example",
        ] {
            #expect(!html("[b](\(address))").contains("<a "), "\(address)")
        }
    }

    /// markedjs/marked#690, lepture/mistune#102, erusev/parsedown#183
    @Test("A link's address has parentheses with partners only")
    func parentheses() {
        let end = "rel=\"noopener noreferrer nofollow\" target=\"_blank\">b</a>"
        for address in ["https://a.example/Hop_(film)", "https://a.example/(a(b))_c.html", "https://a.example/x[]=()"] {
            let url = WebAddress(address).url?.absoluteString ?? ""
            #expect(html("([b](\(address)))") == "<p>(<a href=\"\(url)\" \(end))</p>")
            #expect(html("[b](\(address) \"c\")") == "<p><a href=\"\(url)\" \(end)</p>")
        }
        for text in ["[b](https://a.example/(a)", "[b](https://a.example/(a 'b')", "[b](https://a.example/(["] {
            #expect(!html(text).contains("<a "), "\(text)")
        }
    }

    @Test(
        "Foreign markup is text",
        arguments: [
            "<script>alert(1)</script>", "# <script>", "- <script>", "```\n<script>", "| <script>", "`<script>`",
            "**<script>**",
            "[<script>](https://a.example/)", "[a](https://a.example/\"><script>)", "![<script>](a)",
        ]
    )
    func escaping(_ text: String) {
        let html = html(text)
        #expect(!html.contains("<script") && html.contains("&lt;script") || html.contains("%3Cscript"), "\(html)")
    }

    /// Minutes if a text were searched again from each mark.
    @Test(
        "The work is as long as the text",
        arguments: [
            "[", "*", "`", "!", "* ", "**a", "[a](", "[a](b", "`a``", "- ", "- a\n", "1. a\n\n", "#", "# a\n", "```\n",
            "> ", "\\", "\\*", "[a](()", "[a](b)(", "[a](([a]()", "*a\\", "[a](b \"", "[a](b '\"", "<!--",
            "<!---->", "a <!--", "<", "&", "&a", "&lt;", "<https://", "<https://a>",
        ]
    )
    func limits(_ part: String) {
        let text = String(repeating: part, count: 100_000 / part.count)
        let clock = ContinuousClock()
        let start = clock.now
        let html = html(text)
        #expect(html.utf8.count < 30 * text.utf8.count && clock.now - start < .seconds(10))
    }
}
