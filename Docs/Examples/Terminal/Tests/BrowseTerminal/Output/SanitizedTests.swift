import BrowseTerminal
import Testing

@Suite("Text from a server")
struct HarmlessTests {
    @Test(
        "stays as it is when it only shows something",
        arguments: [
            "octocat", "release-helper[bot]", "김하늘 🌈", "👩🏻‍💻", "نور الهاشمي", "می‌خواهم", "Société d’Été", "",
        ]
    )
    func keeps(text: String) {
        #expect(text.harmless == text)
    }

    @Test(
        "cannot retitle the window, move the cursor or ring the bell",
        arguments: [
            "\u{1B}]0;owned\u{7}", "\u{1B}[2J", "\u{9B}31m", "\u{7F}", "a\u{8}b", "\u{0}", "\u{90}q\u{9C}",
        ]
    )
    func disarms(text: String) {
        #expect(controls(in: text.harmless).isEmpty)
        #expect(text.harmless.contains("\u{FFFD}"))
    }

    @Test(
        "cannot turn the direction of what follows",
        arguments: [
            "\u{202E}", "\u{202A}", "\u{2066}", "\u{2069}", "\u{200E}", "\u{200F}", "\u{061C}",
        ]
    )
    func keepsDirection(mark: String) {
        #expect("a\(mark)b".harmless == "a\u{FFFD}b")
    }

    @Test("stays on its line and in its field")
    func staysOnItsLine() {
        #expect("a\tb\nc\r\nd\u{2028}e\u{85}f".harmless == "a b c d e f")
    }

    @Test("keeps its own lines where lines are wanted")
    func keepsLines() {
        #expect("one\r\ntwo\n\nthree\u{1B}".harmlessLines == ["one", "two", "", "three\u{FFFD}"])
    }

    @Test("loses what is invisible and only decorates")
    func dropsDecoration() {
        #expect("co\u{AD}op".harmless == "coop")
    }

    @Test("is made harmless by going into a line, and colours still work")
    func linesAreHarmless() {
        let line = Line("a\u{1B}[31mb", .bold).adding("\u{202E}")
        #expect(line.rendered(inColor: false) == "a\u{FFFD}[31mb\u{FFFD}")
        #expect(line.rendered(inColor: true) == "\u{1B}[1ma\u{FFFD}[31mb\u{1B}[0m\u{FFFD}")
    }
}
