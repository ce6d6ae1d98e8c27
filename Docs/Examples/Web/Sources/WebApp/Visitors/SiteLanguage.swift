import Foundation

/// A language of the site.
enum SiteLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case korean = "ko"

    /// The locale of texts, numbers, and dates, which also selects the country of the App Store.
    var locale: Locale { Locale(identifier: self == .korean ? "ko_KR" : "en_US") }

    /// The name in the language itself.
    var title: String { self == .korean ? "한국어" : "English" }

    /// Returns the language that a browser prefers; English if it accepts neither.
    ///
    /// - Parameter field: The `Accept-Language` field (RFC 9110, section 12.5.4).
    static func preferred(by field: String?) -> SiteLanguage {
        let choices = (field ?? "").split(separator: ",").prefix(20).enumerated().compactMap { position, range in
            let parts = range.split(separator: ";")
            let tag = parts.first?.trimmingCharacters(in: .whitespaces).lowercased().prefix(2) ?? ""
            let weight = parts.dropFirst().first.flatMap { part -> Double? in
                let text = part.trimmingCharacters(in: .whitespaces)
                return text.hasPrefix("q=") ? Double(text.dropFirst(2)) : nil
            }
            return SiteLanguage(rawValue: String(tag)).map { (language: $0, weight: weight ?? 1, position: position) }
        }
        return choices.filter { $0.weight > 0 }
            .min { ($1.weight, $0.position) < ($0.weight, $1.position) }?
            .language ?? .english
    }
}
