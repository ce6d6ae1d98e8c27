import BrowseDomain
import BrowseGitHubDomain
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct `Search text` {
    typealias SearchText = GitHub.SearchText

    @Test(arguments: [
        ("swift", "swift"), ("  swift \n", "swift"), ("\u{3000}스위프트\t", "스위프트"), ("a  b", "a  b"), ("a\nb", "a b"),
        ("C++", "C++"), ("a&b=c", "a&b=c"), ("%20", "%20"), ("\"a b\" ", "\"a b\""), ("\"", "\""), ("🐙", "🐙"),
        (" 👩🏻‍💻 ", "👩🏻‍💻"), ("\u{200B}a", "a"), ("“a b” l’été", "\"a b\" l'été"), ("language:swift", "language:swift"),
        ("AND", "AND"), ("NOT", "NOT"),
        (" -", "-"), ("e\u{301}", "\u{E9}"),
        // Credentials, as in usedetail/cli#260 and google-gemini/gemini-cli#14556.
        ("https://octocat:secret@github.com/octocat/tea", "https://github.com/octocat/tea"),
        ("clone https://secret@github.com/octocat/tea.git now", "clone https://github.com/octocat/tea.git now"),
        ("https://a.example/@octocat", "https://a.example/@octocat"), ("me@a.example", "me@a.example"),
    ])
    func `is the normalized input`(typed: String, text: String) throws {
        let search = try SearchText(typed)
        #expect(search.text.unicodeScalars.elementsEqual(text.unicodeScalars))
        #expect("\(search)" == search.text)
    }

    @Test(arguments: ["", " ", "\n", "\t \r\n", "\u{A0}\u{3000}\u{2028}", "\u{200B}", "\u{3164} ", "\u{3164} \0"])
    func `rejects blank input`(typed: String) {
        #expect(throws: SearchText.ValidationError.blank) { try SearchText(typed) }
    }

    private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    @Test(
        arguments: [
            (repeated("x", 256), nil), (repeated("x", 257), 1), (repeated("x", 1000), 744),
            // Scalars count, not characters or bytes.
            (repeated("한", 256), nil), (repeated("한", 257), 1), (repeated("🐙", 256), nil), (repeated("🐙", 257), 1),
            (repeated("e\u{301}", 256), nil), (repeated("e\u{301}", 257), 1), (repeated("👩‍💻", 86), 2),
            // Surrounding white space doesn't count.
            (" " + repeated("x", 256) + "\n", nil),
            // Inner spaces count.
            (repeated("x", 200) + " " + repeated("y", 55), nil), (repeated("x", 200) + " " + repeated("y", 56), 1),
            ("x" + repeated(" ", 255) + "y", 1),
            // Qualifiers and operators don't count, nor do the spaces next to them.
            (repeated("x", 256) + " language:swift", nil), ("stars:>10 " + repeated("x", 257), 1),
            (repeated("x", 128) + " AND " + repeated("y", 127), nil),
            (repeated("x", 128) + " AND " + repeated("y", 128), 1),
            (repeated("x", 128) + " AND " + repeated("y", 129), 2),
            (repeated("x", 256) + " -user:octocat", nil), ("NOT " + repeated("x", 256), nil),
            (repeated("x", 256) + "\nlanguage:swift", nil), (repeated("label:\"help wanted please\" ", 100), nil),
            (repeated("user:x ", 300), nil),
            // Text that resembles them counts.
            (repeated("x", 254) + " and", 2), (repeated("x", 254) + " :a", 1), (repeated("x", 254) + " a:", 1),
            (repeated("x", 250) + " \"a AND b\"", 4), (repeated("x", 250) + " C++:no", 1),
            ("http://" + repeated("x", 250), 1),
            (repeated("x", 250) + " 언어:s", nil), (repeated("x", 250) + " 언어:swift", 3),
            ("\"user:" + repeated("x", 251), 1),
        ] as [(String, Int?)]
    )
    func `has at most 256 characters, without qualifiers and operators`(text: String, excess: Int?) throws {
        if let excess, excess > 0 {
            #expect(throws: SearchText.ValidationError.tooLong(by: excess)) { try SearchText(text) }
        } else {
            #expect(throws: Never.self) { try SearchText(text) }
        }
    }
}
