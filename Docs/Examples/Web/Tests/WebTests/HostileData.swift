import BrowseMocks
import Foundation

/// The bundled data with attacks in every text and link that people can enter at the services.
enum HostileData {
    /// Part of every attack; in a page, the character before it must not be a `<`.
    static let mark = "x-attack"
    /// Ends an attribute and an element, and begins others.
    static let text = "\"'></title></textarea></script><x-attack onload=alert(1)>{{x-attack}}&lt;x-attack"
    /// Runs when it's followed.
    static let link = "javascript:alert('x-attack')//.example"

    private static let texts: Set<String> = [
        "name", "bio", "company", "location", "description", "language", "type", "species", "dimension", "air_date",
        "trackName",
        "artistName", "sellerName", "primaryGenreName", "genres", "releaseNotes", "version", "contentAdvisoryRating",
        "trackContentRating", "minimumOsVersion", "formattedPrice", "status", "gender", "topics", "advisories",
        "languageCodesISO2A", "currency", "spdx_id",
    ]
    private static let links: Set<String> = [
        "blog", "html_url", "homepage", "artistViewUrl", "sellerUrl", "trackViewUrl",
    ]

    /// Returns the services with the data, and an address in place of every link.
    static func services(link: String = HostileData.link) throws -> OfflineServices {
        OfflineServices(
            gitHub: try OfflineGitHub(data: poisoned(.gitHub, link)),
            rickAndMorty: try OfflineRickAndMorty(data: poisoned(.rickAndMorty, link)),
            appStore: try OfflineAppStore(data: poisoned(.appStore, link))
        )
    }

    private static func poisoned(_ fixtures: Fixtures, _ link: String) throws -> Fixtures {
        var files: [String: Data] = [:]
        for name in fixtures.names where !name.hasPrefix("error-") {
            let hostile = poisoned(try JSONSerialization.jsonObject(with: fixtures[name]), key: "", link)
            files[name] = try JSONSerialization.data(withJSONObject: hostile)
        }
        return Fixtures(files)
    }

    private static func poisoned(_ value: Any, key: String, _ link: String) -> Any {
        switch value {
        case let object as [String: Any]:
            return Dictionary(uniqueKeysWithValues: object.map { ($0, poisoned($1, key: $0, link)) })
        case let array as [Any]: return array.map { poisoned($0, key: key, link) }
        case let string as String where texts.contains(key): return string + text
        case is String where links.contains(key): return link
        default: return value
        }
    }
}
