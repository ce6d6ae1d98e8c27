import BrowseData
import BrowseDomain
import Foundation

/// The time in which secrets are masked in texts that match a rule in many places.
///
/// A server can send them in a header field. Compared with parsing the text as UTF-8.
enum RedactionBenchmarks {
    static let all = [Benchmark(name: "redaction", rounds: 9, body: hostile)]

    private static let size = 100_000

    @concurrent
    private static func hostile(_ run: Run) async throws -> [Comparison] {
        let redactor = SecretRedactor()
        // Characters that are all escaped in URLs.
        let secret = String(repeating: "/kPm+2Lr=9Tn~4Vb", count: 4)
        redactor.add(try Secret(secret))
        for number in 0..<60 { redactor.add(try Secret("another-secret-\(number)-\(secret.dropFirst(number))")) }
        var comparisons: [Comparison] = []
        for (name, unit) in [
            ("names", "token="), ("names in quotes", "token=\""), ("web tokens", "eyJ"), ("tokens", "ghp_"),
            ("the secret", secret), ("parts of the secret", "/kPm+2Lr."), ("slashes", "//"), ("users", "//a@"),
            ("e", "e"),
            ("the secret, encoded once", encoded(secret, times: 1)),
            ("the secret, encoded four times", encoded(secret, times: 4)),
            ("web tokens, encoded four times", encoded("eyJ", times: 4)), ("JSON escapes", #"\u0065"#),
        ] {
            let text = String(repeating: unit, count: size / unit.utf8.count)
            comparisons.append(
                await .measure("redaction: 100 KB of \(name)", .cpu, bound: .most(0.01), rounds: run.rounds) {
                    await cpuSeconds { keep(redactor.redact(text)) }
                } bare: {
                    await cpuSeconds { keep(String(validating: Array(text.utf8), as: UTF8.self)) }
                }
            )
        }
        return comparisons
    }

    /// Encodes each byte, and each percent sign again.
    private static func encoded(_ text: String, times: Int) -> String {
        let percent = "%" + String(repeating: "25", count: times - 1)
        return text.utf8.map { percent + String(Int($0) + 256, radix: 16).suffix(2) }.joined()
    }
}
