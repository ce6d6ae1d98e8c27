import BrowseAppStoreDomain
import BrowseDomain
import TestLimits
import TestSupport
import Testing

@Suite("App number", .bounded)
struct AppIDTests {
    typealias ValidationError = AppStore.AppReference.ValidationError

    @Test(arguments: [
        ("284882215", Int64(284_882_215)), ("1", 1), (" 42\n", 42), ("\u{3000}42\u{A0}", 42), ("007", 7),
        ("9223372036854775807", .max), ("00000000000000000000000000000000005", 5),
    ])
    func `is parsed from digits`(text: String, number: Int64) throws {
        #expect(try AppStore.AppReference(text) == .id(AppStore.AppID(number)))
    }

    private func id(of text: String) throws -> AppStore.AppID {
        guard case .id(let id) = try AppStore.AppReference(text) else { throw CancellationError() }
        return id
    }

    @Test(arguments: [
        "https://apps.apple.com/us/app/facebook/id123", "https://apps.apple.com/kr/app/페이스북/id123",
        "https://apps.apple.com/app/id123", "https://itunes.apple.com/jp/app/facebook/id123?mt=8&uo=4",
        "http://itunes.apple.com/app/id123", "HTTPS://Apps.Apple.COM/us/app/facebook/id123",
        "apps.apple.com/de/app/x/id123", "//apps.apple.com/de/app/x/id123",
        "itms-apps://itunes.apple.com/app/id123", "macappstore://apps.apple.com/app/id123",
        " https://apps.apple.com/us/app/x/id123\n", "https://apps.apple.com/us/app/x/id123/",
        "https://apps.apple.com/us/app/x/id123#id9", "https://apps.apple.com/us/app/x/id123?id=9&l=ko#/id8",
        "https://apps.apple.com:443/us/app/x/id123", "https://apps.apple.com/us/app/id7/id123",
        "https://apps.apple.com/us/app/id7-game/id123", "https://apps.apple.com/us/app/999/id123",
        "https://apps.apple.com/us/app/id123/idle-heroes", "https://apps.apple.com/us/app/id123/id9x",
        "https://apps.apple.com/us/app/100%25/id00123",
        // Pasted text.
        "id123", "ID123", " id123.", "123.", "https://apps.apple.com/us/app/x/id123.",
        "(https://apps.apple.com/us/app/x/id123)", "<https://apps.apple.com/us/app/x/id123>",
        "“https://apps.apple.com/us/app/x/id123”,", "\u{200E}123\u{200F}", "\u{FEFF} id123 \u{200B}",
        "\u{2068}https://apps.apple.com/us/app/x/id123\u{2069}", "https://apps.apple.com/us/app/x/id123\u{200B}",
        "Check out X ❤️ on the App Store!\nhttps://apps.apple.com/us/app/x/id123",
        "‘차 & Tea’ 앱 보기 https://apps.apple.com/kr/app/%EC%B0%A8/id123?l=ko",
        "앱:https://apps.apple.com/kr/app/차/id123를 보세요",
        "See apps.apple.com/us/app/x/id123, it’s good.",
        "https://example.com/a and https://apps.apple.com/us/app/x/id123",
        "https://apps.apple.com/us/developer/y/id9 https://apps.apple.com/us/app/x/id123",
        "https://geo.itunes.apple.com/us/app/x/id123?mt=8&at=10l3Vy",
        "itms-apps://apple.com/app/id123", "ITMS-APPS://ITUNES.APPLE.COM/US/APP/ID123",
        "HTTPS://APPS.APPLE.COM/US/APP/X/ID123?MT=8", "https://itunes.apple.com/us/id123",
    ])
    func `is found in a link of any country, and in pasted text`(text: String) throws {
        let id = try id(of: text)
        #expect(id.number == 123)
    }

    @Test(
        arguments: [
            ("https://apps.apple.com/kr/app/x/id123", "kr"), ("HTTPS://APPS.APPLE.COM/US/APP/X/ID123", "us"),
            ("itms-apps://itunes.apple.com/jp/id123", "jp"), ("앱 apps.apple.com/kr/app/차-이름/id123?l=ko", "kr"),
            ("https://apps.apple.com/app/id123", nil), ("https://apps.apple.com/id123", nil), ("123", nil),
            ("itms-apps://itunes.apple.com/WebObjects/MZStore.woa/wa/viewSoftware?mt=8&id=123", nil),
            ("https://example.com/kr/id1 https://apps.apple.com/de/app/x/id123", "de"),
        ] as [(String, String?)]
    )
    func `has the country of its link`(text: String, country: String?) throws {
        let id = try id(of: text)
        #expect(id == AppStore.AppID(123, in: try country.map { try AppStore.Country($0) }))
        #expect(AppStore.AppID(id.description) == id)
    }

    @Test(arguments: [
        "https://apps.apple.com/us/developer/google/id281956209", "https://apps.apple.com/developer/id281956209",
        "https://itunes.apple.com/us/artist/google/id281956209", "https://apps.apple.com/us/story/id1377753262",
        "https://apps.apple.com/story/id1377753262", "https://apps.apple.com/us/app-bundle/office/id1450038993",
        "https://itunes.apple.com/us/album/app/id1", "https://apps.apple.com/us/genre/ios-games/id6014",
        "https://apps.apple.com/us/curator/x/id976439587", "https://apps.apple.com/us/developer/app/id7",
        "https://apps.apple.com/US/DEVELOPER/GOOGLE/ID281956209", "Look: https://apps.apple.com/us/story/id1377753262.",
    ])
    func `isn't found in a link to a developer, a story, or a bundle`(link: String) {
        #expect(throws: ValidationError.noIDInLink) { try AppStore.AppReference(link) }
    }

    @Test(arguments: ["idle", "id", "id12x", "id 12", "id-1", "idea7"])
    func `isn't found in a word that starts with id`(text: String) {
        #expect(throws: ValidationError.name) { try AppStore.AppReference(text) }
    }

    @Test(arguments: [
        ("https://example.com/app/id123", "example.com"), ("https://apple.com/app/id123", "apple.com"),
        ("https://apps.apple.com.evil.example/id123", "apps.apple.com.evil.example"),
        ("https://evilapps.apple.com/id123", "evilapps.apple.com"),
        ("https://evil.example/apps.apple.com/id1", "evil.example"),
        ("https://apps.apple.com@evil.example/id123", "evil.example"),
        ("https://evil.example?x=apps.apple.com/id123", "evil.example"),
        ("https://evil.example#@apps.apple.com/id123", "evil.example"),
        ("https://me@apps.apple.com/app/id123", "apps.apple.com"),
        ("ftp://apps.apple.com/app/id123", "apps.apple.com"), ("file:///app/id123", ""),
        ("javascript://apps.apple.com/app/id123", "apps.apple.com"), ("https:///id123", ""), ("/id123", ""),
        ("app/id123", "app"), ("https:/apps.apple.com/id123", "https"),
        ("https://apps.apple.com\\@evil.example/id1", "evil.example"), ("https://аpps.apple.com/id1", "аpps.apple.com"),
    ])
    func `is rejected in a link to another host`(link: String, host: String) {
        #expect(throws: ValidationError.foreignLink(host: host)) { try AppStore.AppReference(link) }
    }

    @Test(arguments: [
        "https://apps.apple.com", "https://apps.apple.com/", "apps.apple.com", "Apps.Apple.com",
        "https://apps.apple.com/us/app/facebook", "https://apps.apple.com/us/app/123",
        "https://apps.apple.com/us/app/facebook?id=123", "https://apps.apple.com/us/app/x/#id123",
        "https://apps.apple.com/us/app/id",
        "https://apps.apple.com/us/app/xid123",
        "https://apps.apple.com/us/app/idle", "https://apps.apple.com/us/app/id-1",
    ])
    func `is rejected in a link that doesn't lead to an app`(link: String) {
        #expect(throws: ValidationError.noIDInLink) { try AppStore.AppReference(link) }
    }

    @Test(arguments: [
        ("123abc", Character("a")), ("12 3", " "), ("12\n3", " "), ("1,000", ","),
        ("12٣", "٣"), ("½", "½"), ("1\u{301}23", "1\u{301}"), ("0x1F", "x"), ("1e5", "e"),
        ("https://apps.apple.com/us/app/x/id123abc", "a"), ("https://apps.apple.com/us/app/x/id123;1", ";"),
        ("https://apps.apple.com/us/app/x/id123%20", "%"),
    ])
    func `is rejected if it contains other characters than digits`(text: String, character: Character) {
        #expect(throws: ValidationError.characterNotAllowed(character)) { try AppStore.AppReference(text) }
    }

    @Test(arguments: [
        "0", "000", "9223372036854775808", String(repeating: "9", count: 30), String(repeating: "1", count: 10_000),
    ])
    func `is rejected if it is zero or too large`(digits: String) {
        #expect(throws: ValidationError.outOfRange) { try AppStore.AppReference(digits) }
        #expect(throws: ValidationError.outOfRange) {
            try AppStore.AppReference("https://apps.apple.com/us/app/x/id\(digits)")
        }
    }

    @Test(arguments: ["", " ", "\n\t", "\u{3000}"])
    func `is rejected if the text is blank`(text: String) {
        #expect(throws: ValidationError.empty) { try AppStore.BundleID(typed: text) }
        #expect(throws: ValidationError.empty) { try AppStore.AppReference(text) }
    }

    /// Directional marks, joiners, zero-width spaces, fillers, selectors, and other invisible characters.
    static let invisible: [Unicode.Scalar] = [
        "\u{200E}", "\u{200F}", "\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}", "\u{061C}", "\u{200B}", "\u{200C}",
        "\u{200D}", "\u{2060}", "\u{FEFF}", "\u{00AD}", "\u{034F}", "\u{3164}", "\u{FE0F}", "\u{E0020}", "\u{0}",
        "\u{7F}",
    ]

    @Test(arguments: invisible)
    func `is parsed without invisible characters`(scalar: Unicode.Scalar) throws {
        for text in [
            "1\(scalar)23", "https://apps.apple.com\(scalar)/app/id123", "i\(scalar)d123",
            "\(scalar)123", "123\(scalar)", " \(scalar)123", "123 \(scalar)", "\(scalar) \(scalar)123",
            "https://apps.apple.com/app/id123\(scalar)", "\(scalar)https://apps.apple.com/app/id123",
        ] {
            #expect(try AppStore.AppReference(text) == .id(AppStore.AppID(123)), "\(text.debugDescription)")
        }
        #expect(try AppStore.BundleID(typed: "\(scalar)a.\(scalar)b\(scalar)").rawValue == "a.b")
        #expect(throws: ValidationError.empty) { try AppStore.AppReference(" \(scalar) ") }
    }

    @Test func `is searched for in a limited part of a very long text`() {
        let text = String(repeating: "apps.apple.com/app/x ", count: 50_000)
        #expect(throws: ValidationError.noIDInLink) { try AppStore.AppReference(text) }
        #expect(throws: ValidationError.name) { try AppStore.AppReference(String(repeating: "word ", count: 200_000)) }
    }
}
