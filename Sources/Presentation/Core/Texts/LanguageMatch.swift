import Foundation

/// A language with its script and region, which is compared with those of translations.
///
/// Both sides are maximized, so that `zh_TW` is `zh-Hant-TW`. Only a translation in the same
/// language and script matches. Source: Unicode Technical Standard 35, "Likely Subtags".
struct LanguageMatch {
    private let code: String
    private let script: String
    private let region: String

    init(_ language: Locale.Language) {
        // `no-NO` becomes `nb-Latn-NO`.
        let parts = language.maximalIdentifier.split { $0 == "-" || $0 == "_" }.map(String.init)
        code = parts.first.map { Self.aliases[$0] ?? $0 } ?? ""
        script = parts.first { $0.count == 4 } ?? ""
        region = parts.dropFirst().last { $0.count == 2 || $0.count == 3 } ?? ""
    }

    /// Returns the best of the languages of translations; `nil` if none matches.
    ///
    /// It's that of the region, or of the nearest one, or else the language alone.
    func best(of languages: [Texts.Language]) -> Texts.Language? {
        for code in [code, Self.fallbacks[code]].compactMap(\.self) {
            let matches = languages.filter { language in
                let other = language.match
                return other.code == code && other.script == script
            }
            // Other English is nearer to British than to American ("$enUS" of languageMatching).
            let isNearGB = code == "en" && !"AS CA GU MH MP PH PR UM US VI".contains(region)
            let regions = [region, Self.parents[region]].compactMap(\.self) + (isNearGB ? ["001", "GB"] : [])
            for region in regions {
                if let match = matches.first(where: { $0.ownRegion == region }) { return match }
            }
            if let match = matches.first(where: { $0.ownRegion == nil }) ?? matches.first { return match }
        }
        return nil
    }

    /// Codes that others have replaced, and codes of macrolanguages.
    ///
    /// Source: CLDR, "languageAlias" of supplementalMetadata.xml.
    private static let aliases = [
        "no": "nb", "iw": "he", "in": "id", "ji": "yi", "jw": "jv", "mo": "ro", "tl": "fil", "cmn": "zh",
    ]
    /// Languages whose readers read another one.
    ///
    /// Source: CLDR, "languageMatching" of languageInfo.xml.
    private static let fallbacks = ["nn": "nb", "yue": "zh", "gsw": "de", "lb": "de"]
    /// Regions whose language is that of another one. Source: CLDR, "parentLocales".
    private static let parents: [String: String] = {
        var parents = ["MO": "HK", "AO": "PT", "CV": "PT", "MZ": "PT", "GW": "PT", "ST": "PT", "TL": "PT", "CH": "PT"]
        for region in "AR BO BR BZ CL CO CR CU DO EC GT HN MX NI PA PE PR PY SV US UY VE".split(separator: " ") {
            parents[String(region)] = "419"
        }
        return parents
    }()
}

extension Texts.Language {
    fileprivate var match: LanguageMatch { LanguageMatch(Locale.Language(identifier: rawValue)) }

    /// The region in the code itself; `nil` if it has none.
    fileprivate var ownRegion: String? {
        rawValue.split { $0 == "-" || $0 == "_" }.dropFirst().last { $0.count == 2 || $0.count == 3 }?.uppercased()
    }

    /// The code of the language alone, such as `zh` of `zh-Hant`.
    @_spi(Services) public var code: String { rawValue.prefix { $0 != "-" && $0 != "_" }.lowercased() }
}
