import BrowseTerminal
import Testing

@Suite("Text from a server")
struct HarmlessTests {
    @Test(
        "stays unchanged without control characters",
        arguments: [
            "octocat", "release-helper[bot]", "김하늘 🌈", "👩🏻‍💻", "نور الهاشمي", "می‌خواهم", "Société d’Été", "",
        ]
    )
    func keeps(text: String) {
        #expect(text.sanitized == text)
    }

    @Test(
        "can't change the window's title, move the cursor, or ring the bell",
        arguments: [
            "\u{1B}]0;owned\u{7}", "\u{1B}[2J", "\u{9B}31m", "\u{7F}", "a\u{8}b", "\u{0}", "\u{90}q\u{9C}",
        ]
    )
    func disarms(text: String) {
        #expect(controls(in: text.sanitized).isEmpty)
        #expect(text.sanitized.contains("\u{FFFD}"))
    }

    @Test(
        "can't change the writing direction",
        arguments: [
            "\u{202E}", "\u{202D}", "\u{202A}", "\u{202B}", "\u{202C}",
        ]
    )
    func keepsDirection(mark: String) {
        #expect("a\(mark)b".sanitized == "a\u{FFFD}b")
    }

    @Test("stays on its line and in its field")
    func staysOnItsLine() {
        #expect("a\tb\nc\r\nd\u{2028}e\u{85}f".sanitized == "a b c d e f")
    }

    @Test("preserves its lines on request")
    func keepsLines() {
        #expect("one\r\ntwo\n\nthree\u{1B}".sanitizedLines == ["one", "two", "", "three\u{FFFD}"])
    }

    @Test(
        "loses invisible decorations",
        arguments: [
            "\u{AD}", "\u{200B}", "\u{2060}", "\u{FEFF}", "\u{2066}", "\u{2069}", "\u{200E}", "\u{200F}", "\u{061C}",
        ]
    )
    func dropsDecoration(mark: String) {
        #expect("co\(mark)op".sanitized == "coop")
    }

    @Test("is sanitized in a line, which still has colors")
    func linesAreHarmless() {
        let line = Line("a\u{1B}[31mb", .bold).adding("\u{202E}")
        #expect(line.rendered(inColor: false) == "a\u{FFFD}[31mb\u{FFFD}")
        #expect(line.rendered(inColor: true) == "\u{1B}[1ma\u{FFFD}[31mb\u{1B}[0m\u{FFFD}")
    }
}
