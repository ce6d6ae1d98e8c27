import BrowseAppStoreDomain
import BrowseDomain
import TestLimits
import Testing

@Suite("Bundle identifier", .bounded)
struct BundleIDTests {
    typealias ValidationError = AppStore.AppReference.ValidationError

    @Test(arguments: [
        "com.facebook.Facebook", "a.b", "com.example.app-2", "9.9", "com.apple.dt.Xcode", "A.B.C.D.E.F", "-.-",
        "a." + String(repeating: "x", count: 253),
    ])
    func `is trimmed and otherwise unchanged`(text: String) throws {
        #expect(try AppStore.BundleID(typed: " \(text)\n").rawValue == text)
        #expect(try AppStore.AppReference(" \(text)\n") == .bundleID(AppStore.BundleID(rawValue: text)))
    }

    @Test(arguments: [
        ("com.exa mple", ValidationError.characterNotAllowed(" ")), ("com.example*app", .characterNotAllowed("*")),
        ("com.예시", .characterNotAllowed("예")), ("com.a\u{301}pp", .characterNotAllowed("a\u{301}")),
        ("com.example?x=1", .characterNotAllowed("?")), ("com.a&id=5", .characterNotAllowed("&")),
        ("com..example", .incompleteBundleID), (".com", .incompleteBundleID),
        ("com.", .incompleteBundleID), (".", .incompleteBundleID),
        ("a." + String(repeating: "x", count: 256), .tooLong(by: 3)),
    ])
    func `is rejected with the reason`(text: String, reason: ValidationError) {
        #expect(throws: reason) { try AppStore.BundleID(typed: text) }
        #expect(throws: reason) { try AppStore.AppReference(text) }
    }

    @Test(arguments: ["facebook", "페이스북", "com-example", "word word", "_"])
    func `isn't an app's name`(text: String) {
        #expect(throws: ValidationError.name) { try AppStore.AppReference(text) }
    }

    @Test func `is kept as the store or a program writes it`() {
        for text in ["com.example.app", "facebook", "com.example_app ", ""] {
            #expect(AppStore.BundleID(text).rawValue == text)
            #expect(AppStore.BundleID(text) == AppStore.BundleID(rawValue: text))
            #expect("\(AppStore.BundleID(text))" == text)
        }
    }

    @Test func `needs two components`() {
        #expect(throws: ValidationError.incompleteBundleID) { try AppStore.BundleID(typed: "facebook") }
    }
}
