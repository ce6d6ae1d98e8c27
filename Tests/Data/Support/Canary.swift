import BrowseDomain
import Testing

/// Fake secrets in GitHub's formats, for detecting leaks.
///
/// They're composed at run time, so that secret scanners don't report the source.
struct Canary: Sendable, CustomTestStringConvertible {
    let name: String
    let secret: String

    var testDescription: String { name }

    static let all: [Canary] = [
        Canary(name: "personal token", prefix: "ghp_", count: 36),
        Canary(name: "fine-grained token", prefix: "github_pat_", count: 82),
        Canary(name: "code, 20 hexadecimal digits", secret: String(repeating: "4e5f6", count: 4)),
        Canary(name: "web token", secret: "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOjEyMzQ1fQ.c2lnbmF0dXJl-U2lnbmF0dXJl_x"),
        Canary(name: "name and password in Base64", secret: "b2N0b2NhdDpodW50ZXIyaHVudGVyMg=="),
    ]

    private init(name: String, secret: String) {
        self.name = name
        self.secret = secret
    }

    private init(name: String, prefix: String, count: Int) {
        self.init(name: name, secret: prefix + String(repeating: "Zq7Xk", count: 20).prefix(count))
    }

    /// Whether text contains six consecutive characters of the secret part.
    func leaks(into text: String) -> Bool {
        // The first 11 characters can be a public prefix, such as `github_pat_`.
        let own = Array(secret.dropFirst(11))
        let parts = Set((0...(own.count - 6)).map { String(own[$0..<($0 + 6)]) })
        return parts.contains { text.contains($0) }
    }
}

/// Returns all textual representations of a value.
func everyPrint(of value: some Any) -> String {
    var dumped = ""
    dump(value, to: &dumped)
    return "\(value)\n\(String(reflecting: value))\n\(dumped)\n\(Mirror(reflecting: value).children)"
}
