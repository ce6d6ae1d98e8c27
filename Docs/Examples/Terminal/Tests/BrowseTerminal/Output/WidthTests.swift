import BrowseTerminal
import Testing

@Suite("The width of a text")
struct WidthTests {
    @Test(
        "counts columns, not characters",
        arguments: [
            ("", 0), ("octocat", 7), ("한글", 4), ("日本語", 6), ("ｆｕｌｌ", 8), ("ﾊﾝｶｸ", 4), ("é", 1), ("e\u{301}", 1),
            ("\u{1112}\u{1161}\u{11AB}", 2), ("🌈", 2), ("👩🏻‍💻", 2), ("🇰🇷", 2), ("☕️", 2), ("❤️", 2), ("❤", 1), ("㈜", 2),
            ("نور", 3), ("a\u{200D}", 1), ("…", 1), ("𠀀", 2),
            // JuliaStrings/utf8proc#285, spectreconsole/wcwidth#10
            ("☰☷", 4), ("⚊⚏", 4), ("䷀", 2), ("☯", 1),
        ]
    )
    func columns(text: String, expected: Int) {
        #expect(text.columns == expected)
    }

    @Test(
        "is exact for truncated text, even within a wide character",
        arguments: [
            ("octocat", 7, "octocat"), ("octocat", 4, "oct…"), ("한글이름", 5, "한글…"), ("한글이름", 4, "한…"), ("한글", 1, "…"),
            ("octocat", 0, ""), ("a👩🏻‍💻b", 3, "a…"),
        ]
    )
    func cut(text: String, width: Int, expected: String) {
        #expect(text.cut(to: width) == expected)
        #expect(text.cut(to: width).columns <= width)
    }

    @Test("is filled up with spaces")
    func padded() {
        #expect("한글".padded(to: 6) == "한글  ")
        #expect("octocat".padded(to: 3) == "octocat")
    }

    @Test(
        "breaks lines at spaces, and long words anywhere",
        arguments: [
            ("one two three", 7, ["one two", "three"]), ("abcdefgh", 3, ["abc", "def", "gh"]),
            ("오늘도 맑음", 6, ["오늘도", "맑음"]), ("한글", 1, ["한", "글"]), ("", 5, [""]), ("a bcdef", 3, ["a", "bcd", "ef"]),
            ("  a  b", 6, ["  a  b"]), ("  a  b", 5, ["a b"]),
            // charmbracelet/mods#471: Python's blocks are their indentation.
            ("    return a + b", 10, ["    return", "a + b"]),
            ("    returns a", 10, ["returns a"]),
            // keboola/cli#707: a terminal opens and copies an address that it wraps itself.
            ("see https://a.example/bc now", 12, ["see", "https://a.example/bc", "now"]),
        ]
    )
    func wrapped(text: String, width: Int, expected: [String]) {
        #expect(text.wrapped(to: width) == expected)
    }

    /// Half a minute if each line went through the rest.
    @Test("breaks a long word in one pass")
    func longWord() {
        #expect(String(repeating: "한", count: 80_000).wrapped(to: 60).count == 2_667)
    }
}
