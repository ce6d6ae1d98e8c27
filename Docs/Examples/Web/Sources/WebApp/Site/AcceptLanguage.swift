import BrowseKit
import Foundation

extension Texts.Language {
    /// Returns the language that a browser prefers; the first one if it accepts none.
    ///
    /// - Parameters:
    ///   - field: The field `Accept-Language` of its request (RFC 9110, section 12.5.4).
    ///   - languages: The languages of the texts; not empty.
    static func preferred(by field: String?, among languages: [Self] = [.english, .korean]) -> Self {
        // Anyone can send the field, so only its beginning is read.
        let ranges = (field ?? "").lowercased().split(separator: ",").prefix(20).map { range in
            let parts = range.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            return (tag: parts.first ?? "", weight: weight ?? 1)
        }
        var best: (language: Self?, weight: Double, place: Int) = (languages.first, 0, 0)
        for language in languages {
            let code = language.rawValue
            // A region such as "ko-KR" is as good as the language; "*" stands for languages that aren't listed.
            let exact = ranges.firstIndex { $0.tag == code || $0.tag.hasPrefix(code + "-") }
            guard let place = exact ?? ranges.firstIndex(where: { $0.tag == "*" }) else { continue }
            let weight = ranges[place].weight
            if (weight, -place) > (best.weight, -best.place) { best = (language, weight, place) }
        }
        return best.language ?? .english
    }
}
