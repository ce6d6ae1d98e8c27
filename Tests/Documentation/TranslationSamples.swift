import BrowseKit
import BrowseMocks
import Foundation
import TestLimits
import Testing

nonisolated extension Translation {
    /// Creates a translation from a String Catalog whose keys are the IDs of phrases.
    init?(_ language: Texts.Language, catalog: String, in bundle: Bundle) {
        // Xcode compiles a catalog to a file of strings for each language.
        guard
            let file = bundle.url(
                forResource: catalog,
                withExtension: "strings",
                subdirectory: nil,
                localization: language.rawValue
            ),
            let data = try? Data(contentsOf: file),
            let templates = try? PropertyListDecoder().decode([String: String].self, from: data)
        else { return nil }
        self.init(language, templates)
    }
}

@Suite(.bounded) struct `The samples of translations` {
    @Test func `read a compiled String Catalog`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "Catalog-\(UUID()).bundle")
        defer { try? FileManager.default.removeItem(at: folder) }
        let language = folder.appending(path: "fr.lproj")
        try FileManager.default.createDirectory(at: language, withIntermediateDirectories: true)
        let strings = ["search.noResults": "Aucun résultat pour « {1} »", "search.results.one": "1 résultat"]
        try PropertyListEncoder().encode(strings).write(to: language.appending(path: "BrowseKit.strings"))

        let bundle = try #require(Bundle(path: folder.path(percentEncoded: false)))
        let french = try #require(Translation(Texts.Language(rawValue: "fr"), catalog: "BrowseKit", in: bundle))
        let texts = Texts(locale: Locale(identifier: "fr_FR"), timeZone: .gmt, translations: [french])
        #expect(texts.noResults(for: "{2}").text == "Aucun résultat pour « {2} »")
        // A phrase that the catalog lacks.
        #expect(texts.noResults(for: "").title == "No Results")
        #expect(Translation(.korean, catalog: "BrowseKit", in: bundle) == nil)
        #expect(Translation(Texts.Language(rawValue: "fr"), catalog: "Other", in: bundle) == nil)
    }

    @Test func `name each phrase that a translation lacks when it's shown`() {
        let lines = Monitor<[String]>([])
        let log: @Sendable (String) -> Void = { line in lines.withLock { $0.append(line) } }
        let configuration = Configuration().with {
            $0.translations = [
                Translation("de", ["action.retry": "Erneut versuchen", "search.results": "{1} Ergebnisse"]),
                // Asked for each phrase that the first one lacks, such as by a mistyped ID.
                Translation("de") { phrase, _ in
                    log("No German text for \(phrase.id)")
                    return nil
                },
            ]
        }
        let german = Locale(identifier: "de_DE")
        let texts = Texts(locale: german, timeZone: .gmt, translations: configuration.translations)
        #expect(texts(.resultCount(3)) == "3 Ergebnisse" && texts(.resultCount(1)) == "1 result")
        #expect(Set(lines.value) == ["No German text for search.results.one"])
    }
}
