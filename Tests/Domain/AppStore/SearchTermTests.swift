import BrowseAppStoreDomain
import BrowseDomain
import TestLimits
import Testing

@Suite("Search term", .bounded)
struct SearchTermTests {
    @Test(arguments: [
        ("a", "a"), (" a b ", "a b"), ("C++ & 하늘\n", "C++ & 하늘"),
        ("https://octocat:secret@github.com/octocat/tea", "https://github.com/octocat/tea"),
    ])
    func `trims a search term`(typed: String, text: String) throws {
        #expect(try AppStore.SearchTerm(typed).text == text)
    }

    @Test(arguments: ["", " ", "\n\u{3000}\t"])
    func `rejects a blank search term`(typed: String) {
        #expect(throws: AppStore.SearchTerm.ValidationError.blank) { try AppStore.SearchTerm(typed) }
    }
}
