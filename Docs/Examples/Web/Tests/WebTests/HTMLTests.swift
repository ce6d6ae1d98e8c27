import Testing

@testable import WebApp

@Suite("HTML")
struct HTMLTests {
    @Test("Texts are escaped, in elements and in attributes")
    func escaping() {
        let text = "<b title='a' & \"b\">é</b>"
        let html: HTML = "<p title=\"\(text)\">\(text)</p>"
        let escaped = "&lt;b title=&#39;a&#39; &amp; &quot;b&quot;&gt;é&lt;/b&gt;"
        #expect(html.text == "<p title=\"\(escaped)\">\(escaped)</p>")
        // A combining character doesn't hide the character before it.
        #expect(("\("<\u{301}")" as HTML).text == "&lt;\u{301}")
    }

    @Test("Directional controls end with a text, but a field has what was typed")
    func directions() {
        let text = "\u{202E}\"a"
        #expect(("<p>\(text)</p>" as HTML).text == "<p>\u{2068}\u{202E}&quot;a\u{2069}</p>")
        // Nor does a text leave its isolate, or leave one open.
        let own = "\u{2069}\u{202E}\u{2066}a\u{2069}\u{2069}\u{2067}b"
        let isolated = "\u{2068}\u{202E}\u{2066}a\u{2069}\u{2067}b\u{2069}\u{2069}"
        #expect(Array(("\(own)" as HTML).text.unicodeScalars) == Array(isolated.unicodeScalars))
        let field = textField("filter", "Filter", text).text
        #expect(field.contains("value=\"\u{202E}&quot;a\""))
    }

    @Test("HTML in HTML is left as it is, and what's missing isn't there")
    func nesting() {
        let items = [1, 2].map { "<li>\($0)</li>" as HTML }
        let missing: HTML? = nil
        #expect(("<ul>\(items)</ul>\(missing)\(items[0])" as HTML).text == "<ul><li>1</li><li>2</li></ul><li>1</li>")
    }

    /// Minutes if the text before each part were copied.
    @Test("A name can break after each slash")
    func header() {
        #expect(WebApp.header("a/b").text.contains("a/<wbr><span>b</span>"))
        #expect(WebApp.header(String(repeating: "/", count: 80_000)).text.count > 80_000)
    }
}
