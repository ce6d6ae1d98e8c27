import BrowseKit
import Testing

@testable import WebApp

@Suite struct `The texts of a page` {
    @Test(arguments: [
        (nil, Texts.Language.english), ("", .english), ("ko", .korean), ("ko-KR,ko;q=0.9,en-US;q=0.8", .korean),
        ("en-US,en;q=0.9,ko;q=0.8", .english), ("ko;q=0.5, en;q=0.7", .english), ("fr, ko;q=0.1", .korean),
        ("fr", .english), ("*", .english), ("en;q=0, *", .korean), ("ko;q=0", .english), ("kok", .english),
        (";;;,,,;q=", .english), ("KO", .korean),
    ])
    func `are in the language that a browser prefers`(field: String?, language: Texts.Language) {
        #expect(Texts.Language.preferred(by: field) == language)
    }

    @Test func `are read from the beginning of a browser's field, among the languages of the site`() {
        #expect(Texts.Language.preferred(by: String(repeating: "fr,", count: 100_000) + "ko") == .english)
        let french = Texts.Language(rawValue: "fr")
        #expect(Texts.Language.preferred(by: "fr-CA, en", among: [.korean, .english, french]) == french)
        #expect(Texts.Language.preferred(by: "de", among: [.korean, .english]) == .korean)
    }
}
