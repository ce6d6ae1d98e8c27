import BrowseKit
import Foundation

/// A language of the site.
enum SiteLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case korean = "ko"

    /// The name of the cookie with the chosen language.
    static let cookie = "__Host-language"

    /// The locale of texts, numbers, and dates, which also selects the country of the App Store.
    var locale: Locale { Locale(identifier: self == .korean ? "ko_KR" : "en_US") }

    /// The name in the language itself.
    var title: String { self == .korean ? "한국어" : "English" }

    /// Returns the language that a browser prefers; English if it accepts neither.
    ///
    /// - Parameter field: The `Accept-Language` field (RFC 9110, section 12.5.4).
    static func preferred(by field: String?) -> SiteLanguage {
        let fields = (field ?? "").split(separator: ",").prefix(20)
        let ranges = fields.compactMap { range -> (tag: String, weight: Double)? in
            let parts = range.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            guard let tag = parts.first else { return nil }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            return (tag, weight ?? 1)
        }
        var best: (language: SiteLanguage, weight: Double, position: Int)?
        for language in allCases {
            let code = language.rawValue
            // A region such as "ko-KR" is as good as the language; "*" stands for languages that aren't listed.
            let position =
                ranges.firstIndex { $0.tag == code || $0.tag.hasPrefix(code + "-") }
                ?? ranges.firstIndex { $0.tag == "*" }
            guard let position, ranges[position].weight > 0 else { continue }
            let choice = (language: language, weight: ranges[position].weight, position: position)
            if let best, (best.weight, -best.position) >= (choice.weight, -choice.position) { continue }
            best = choice
        }
        return best?.language ?? .english
    }
}

/// The colors of the site, if a person doesn't want those that the browser prefers.
enum SiteTheme: String, CaseIterable, Sendable {
    case light, dark

    /// The name of the cookie with the chosen colors.
    static let cookie = "__Host-theme"

    var title: Phrase { self == .light ? .light : .dark }
}
