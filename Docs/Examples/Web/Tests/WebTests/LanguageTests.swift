import Testing

@testable import WebApp

@Suite struct `The texts of a page` {
    @Test(arguments: [
        (nil, SiteLanguage.english), ("", .english), ("ko", .korean), ("ko-KR,ko;q=0.9,en-US;q=0.8", .korean),
        ("en-US,en;q=0.9,ko;q=0.8", .english), ("ko;q=0.5, en;q=0.7", .english), ("fr, ko;q=0.1", .korean),
        ("fr", .english), ("*", .english), ("en;q=0, *", .korean), ("ko;q=0", .english), ("kok", .english),
        (";;;,,,;q=", .english), ("KO", .korean),
    ])
    func `are in the language that a browser prefers`(field: String?, language: SiteLanguage) {
        #expect(SiteLanguage.preferred(by: field) == language)
    }

    @Test func `are read from the beginning of a browser's field`() {
        #expect(SiteLanguage.preferred(by: String(repeating: "fr,", count: 100_000) + "ko") == .english)
    }
}
