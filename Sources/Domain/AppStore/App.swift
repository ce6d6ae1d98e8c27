@_spi(Services) public import BrowseDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension AppStore {
    /// An app, as the App Store of one country describes it.
    ///
    /// Only ``id`` and ``name`` are always present; other values vary by the kind of app and its age. Missing values are `nil`,
    /// or an empty list. Strings are trimmed, and blank optional ones are `nil`.
    public struct App: Identifiable, Hashable, Codable, Sendable {
        /// The number, and the country of the App Store that describes the app.
        public package(set) var id: AppID
        /// The app's name.
        public let name: String
        /// The bundle identifier.
        public let bundleID: BundleID?
        /// The developer and the seller.
        public let developer: Developer?
        /// The icon, of which the store offers several sizes.
        public let icon: Icon
        /// The primary genre, in the store's language.
        public let genre: String?
        /// All genres, in the store's language.
        public let genres: [String]
        /// The rating in this country; `nil` without enough ratings.
        public let rating: Rating?
        /// The minimum recommended age, as the store writes it: `4+`.
        public let ageRating: String?
        /// The content warnings, in the store's language.
        public let advisories: [String]
        /// The developer's description.
        public let description: String?
        /// The current version number.
        public let version: String?
        /// The release date of the current version.
        public let versionDate: Date?
        /// The release notes of the current version.
        public let releaseNotes: String?
        /// The release date of the first version, which may be in the future.
        public let releaseDate: Date?
        /// The screenshots, by device.
        public let screenshots: Screenshots
        /// The price in this country.
        public let price: Price?
        /// The download size in bytes.
        public let fileSize: Int64?
        /// The platform; `nil` if it's unknown.
        public let platform: Platform?
        /// The minimum version of the operating system, as in `16.0`.
        public let minimumOSVersion: String?
        /// The supported languages as lowercase ISO 639-1 codes, without duplicates, in the store's order.
        public let languageCodes: [String]
        /// The app's page in the store of this country; see also ``link``.
        public let storePage: WebAddress?

        /// Creates an app.
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
            platform: Platform? = nil,
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
            self.platform = platform
            self.minimumOSVersion = minimumOSVersion?.nonBlank
            // The store lists Simplified and Traditional Chinese as the same code, twice.
            var unique: Set<String> = []
            self.languageCodes = languageCodes.compactMap { $0.nonBlank?.lowercased() }
                .filter { unique.insert($0).inserted }
            self.storePage = storePage
        }

        /// A link to the app: its store page, or one made from ``id`` if that is missing.
        public var link: WebAddress {
            if let storePage, storePage.url != nil { return storePage }
            let country = id.country.map { "\($0)/" } ?? ""
            return WebAddress(rawValue: "https://apps.apple.com/\(country)app/id\(id.number)")
        }
    }
}
