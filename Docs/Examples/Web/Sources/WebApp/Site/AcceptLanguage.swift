import Foundation

extension SiteLanguage {
    /// Returns the language that a browser prefers; English if it accepts none.
    ///
    /// - Parameter field: The field `Accept-Language` of its request (RFC 9110, section 12.5.4).
    static func preferred(by field: String?) -> SiteLanguage {
        // Anyone can send the field, so only its beginning is read. Some clients write `ko_KR`.
        let text = (field ?? "").lowercased().replacing("_", with: "-")
        let ranges = text.split(separator: ",").prefix(20).map { range in
            let parts = range.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            return (tag: parts.first ?? "", weight: weight ?? 1)
        }
        var best = (language: SiteLanguage.english, weight: 0.0, place: 0)
        for language in allCases {
            let code = language.rawValue
            // A region such as "ko-KR" is as good as the language; "*" stands for languages that aren't listed.
            let exact = ranges.firstIndex { $0.tag == code || $0.tag.hasPrefix(code + "-") }
            guard let place = exact ?? ranges.firstIndex(where: { $0.tag == "*" }) else { continue }
            let weight = ranges[place].weight
            if (weight, -place) > (best.weight, -best.place) { best = (language, weight, place) }
        }
        return best.language
    }
}
