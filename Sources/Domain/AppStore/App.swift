#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension AppStore {
    /// An app as the shop of one country describes it.
    ///
    /// The shop leaves out whatever it does not know, and differs between kinds of apps and over the years: only ``id`` and
    /// ``name`` are sure to be there. What a response did not tell is `nil`, or no element of a list, never a made-up value;
    /// texts that are empty or only white space are `nil`, and what is there is trimmed.
    public struct App: Identifiable, Hashable, Codable, Sendable {
        /// The identity: two values with the same id are the same app, in whichever country.
        public let id: AppID
        /// What the app is called.
        public let name: String
        /// The identifier that its developer gave it.
        public let bundleID: BundleID?
        /// Who made it.
        public let developer: Developer?
        /// Its icon, in the sizes that the shop has.
        public let icon: Icon
        /// The genre that it is filed under, in the shop's language.
        public let genre: String?
        /// Every genre that it belongs to, in the shop's language.
        public let genres: [String]
        /// How people rate it in this country, when enough of them did.
        public let rating: Rating?
        /// The age from which it is suitable, as the shop writes it: `4+`.
        public let ageRating: String?
        /// What to be warned of, in the shop's words.
        public let advisories: [String]
        /// What it says of itself.
        public let description: String?
        /// The version that is on sale, as its developer numbers it.
        public let version: String?
        /// When that version came out.
        public let versionDate: Date?
        /// What is new in that version.
        public let releaseNotes: String?
        /// When the app first came out, or will.
        public let releaseDate: Date?
        /// Pictures of it in use, by the kind of device.
        public let screenshots: Screenshots
        /// What it costs in this country.
        public let price: Price?
        /// The bytes to download.
        public let fileSize: Int64?
        /// The oldest system that it runs on, as in `16.0`.
        public let minimumOSVersion: String?
        /// The languages that it speaks, as codes of ISO 639-1 in lower case, each once, in the shop's order.
        public let languageCodes: [String]
        /// Its page in the shop of this country, when the shop said so; ``link`` is there in any case.
        public let storePage: WebAddress?

        /// Creates an app; texts are trimmed and emptied ones become `nil`.
        public init(
            id: AppID,
            name: String,
            bundleID: BundleID? = nil,
            developer: Developer? = nil,
            icon: Icon = Icon(),
            genre: String? = nil,
            genres: [String] = [],
            rating: Rating? = nil,
            ageRating: String? = nil,
            advisories: [String] = [],
            description: String? = nil,
            version: String? = nil,
            versionDate: Date? = nil,
            releaseNotes: String? = nil,
            releaseDate: Date? = nil,
            screenshots: Screenshots = Screenshots(),
            price: Price? = nil,
            fileSize: Int64? = nil,
            minimumOSVersion: String? = nil,
            languageCodes: [String] = [],
            storePage: WebAddress? = nil
        ) {
            self.id = id
            self.name = name.trimmed
            self.bundleID = bundleID
            self.developer = developer
            self.icon = icon
            self.genre = genre?.nonBlank
            self.genres = genres.compactMap(\.nonBlank)
            self.rating = rating
            self.ageRating = ageRating?.nonBlank
            self.advisories = advisories.compactMap(\.nonBlank)
            self.description = description?.nonBlank
            self.version = version?.nonBlank
            self.versionDate = versionDate
            self.releaseNotes = releaseNotes?.nonBlank
            self.releaseDate = releaseDate
            self.screenshots = screenshots
            self.price = price
            self.fileSize = fileSize
            self.minimumOSVersion = minimumOSVersion?.nonBlank
            // The shop tells simplified and traditional Chinese by the same code, twice.
            var known: Set<String> = []
            self.languageCodes = languageCodes.compactMap { $0.nonBlank?.lowercased() }
                .filter { known.insert($0).inserted }
            self.storePage = storePage
        }

        /// An address that leads to the app: its page in the shop, or one made of ``id`` when there is none to open.
        public var link: WebAddress {
            if let storePage, storePage.url != nil { return storePage }
            return WebAddress(rawValue: "https://apps.apple.com/app/id\(id.rawValue)")
        }
    }
}
