import BrowseDomain
import Foundation
import TestLimits
import Testing

@Suite(.bounded) struct `Web address` {
    private static let long = String(repeating: "a", count: 16_000)

    @Test(arguments: [
        ("https://github.com/octocat", "https://github.com/octocat"),
        ("http://example.org", "http://example.org"),
        ("HTTPS://example.org/a b", "HTTPS://example.org/a%20b"),
        ("github.blog", "https://github.blog"), (" example.org:8080/a@b ", "https://example.org:8080/a@b"),
        ("https://localhost/", "https://localhost/"),
        ("//cdn.example.com/r?url=https://o.org/a.png", "https://cdn.example.com/r?url=https://o.org/a.png"),
        ("example.com/?u=https://x.org", "https://example.com/?u=https://x.org"),
        ("example.com/\(long)", "https://example.com/\(long)"),
        ("web.archive.org/web/2020/https://example.com", "https://web.archive.org/web/2020/https://example.com"),
    ])
    func `has a URL for web pages`(text: String, address: String) {
        #expect(WebAddress(rawValue: text).url?.absoluteString == address)
    }

    @Test(arguments: [
        "", "javascript:alert(1)", "file:///etc/passwd", "javascript://x/%0aalert(1)", "data:text/html,x", "https://",
        "@handle", "handle", "n/a", "mailto:me@example.com", "MAILTO:me@example.com", " me@example.com",
        "@me@example.social",
        "tel:123", "tel:+1.2", "sms:1", "sip:me@1.2.3.4", "skype:me?call", "localhost:3000", "user:pass@example.com",
        "https://github.com@evil.example", "https://:p@example.com", "https://@example.com", "//", "://example.com",
        "foo?javascript://", "https://example.com/\(long)\(long)",
    ])
    func `has no URL for other strings`(text: String) {
        #expect(WebAddress(rawValue: text).url == nil)
    }
}
