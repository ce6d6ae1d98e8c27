@_spi(Services) public import BrowseDomain
public import Foundation

extension AppStore {
    /// An app, as the App Store of one country describes it.
    ///
    /// Only ``id`` and ``name`` are always present; other values vary by the kind of app and its
    /// age. Missing values are `nil`, or an empty list. Blank ones count as missing.
    public struct App: Identifiable, Hashable, Codable, Sendable {
        /// The number, and the country of the App Store that describes the app.
        public package(set) var id: AppID
        /// The app's name.
        public let name: String
        /// The bundle identifier.
        public var bundleID: BundleID?
        /// The developer and the seller.
        public var developer: Developer?
        /// The icon, of which the store offers several sizes.
        public var icon: Icon = Icon()
        /// The primary genre, in the store's language.
        public var genre: String?
        /// The rating in this country; `nil` without enough ratings.
        public var rating: Rating?
        /// The minimum recommended age, as the store writes it: `4+`.
        public var ageRating: String?
        /// The developer's description.
        public var description: String?
        /// The current version number.
        public var version: String?
        /// The release date of the current version.
        public var versionDate: Date?
        /// The release notes of the current version.
        public var releaseNotes: String?
        /// The release date of the first version, which may be in the future.
        public var releaseDate: Date?
        /// The screenshots, by device.
        public var screenshots: Screenshots = Screenshots()
        /// The price in this country.
        public var price: Price?
        /// The download size in bytes.
        public var fileSize: Int64?
        /// The platform; `nil` if it's another one, or unknown.
        public var platform: Platform?
        /// The minimum version of the operating system, as in `16.0`.
        public var minimumOSVersion: String?
        /// The supported languages as lowercase ISO 639-1 codes, without duplicates, in the store's
        /// order.
        public var languageCodes: [String] = []
        /// The app's page in the store of this country; see also ``link``.
        public var storePage: WebAddress?

        /// Creates an app, and sets its other values with a closure.
        public init(id: AppID, name: String, _ fill: (inout Self) -> Void = { _ in }) {
            self.id = id
            self.name = name.trimmed
            fill(&self)
            // The store lists Simplified and Traditional Chinese as the same code, twice.
            var unique: Set<String> = []
            languageCodes = languageCodes.compactMap { $0.nonBlank?.lowercased() }
                .filter { unique.insert($0).inserted }
        }

        /// A link to the app: its store page, or one made from ``id`` if that is missing.
        public var link: WebAddress {
            if let storePage, storePage.url != nil { return storePage }
            let country = id.country.map { "\($0)/" } ?? ""
            return WebAddress(rawValue: "https://apps.apple.com/\(country)app/id\(id.number)")
        }
    }
}

extension AppStore.App {
    /// The developer and the seller of an app.
    public struct Developer: Hashable, Codable, Sendable {
        /// The name shown in the App Store.
        public let name: String
        /// The seller's legal name.
        public let sellerName: String?
        /// The developer's page in the App Store.
        public let storePage: WebAddress?
        /// The app's web page outside the App Store.
        public let webPage: WebAddress?

        /// Creates a developer; strings are trimmed, and blank ones become `nil`.
        public init(name: String, sellerName: String? = nil, storePage: WebAddress? = nil, webPage: WebAddress? = nil) {
            self.name = name.trimmed
            self.sellerName = sellerName?.nonBlank
            self.storePage = storePage
            self.webPage = webPage
        }
    }

    /// An app's icon in three sizes.
    public struct Icon: Hashable, Codable, Sendable {
        /// The icon with a width of 60 pixels.
        public let small: WebAddress?
        /// The icon with a width of 100 pixels.
        public let medium: WebAddress?
        /// The icon with a width of 512 pixels.
        public let large: WebAddress?

        /// Creates an icon.
        public init(small: WebAddress? = nil, medium: WebAddress? = nil, large: WebAddress? = nil) {
            self.small = small
            self.medium = medium
            self.large = large
        }

        /// The largest size available.
        package var largest: WebAddress? { large ?? medium ?? small }
        /// The smallest size that suits a row, or the nearest available one.
        public var forRow: WebAddress? { medium ?? large ?? small }
    }

    /// The platform of an app; apps for several can share a bundle identifier.
    public enum Platform: String, Hashable, Codable, Sendable {
        /// iPhone, iPad, and the devices that belong to them.
        case iOS = "software"
        /// The Mac.
        case mac = "mac-software"
    }

    /// Screenshots of an app, by device.
    public struct Screenshots: Hashable, Codable, Sendable {
        /// Screenshots on an iPhone, or on a Mac for a Mac app.
        public let main: [WebAddress]
        /// Screenshots on an iPad.
        public let iPad: [WebAddress]
        /// Screenshots on an Apple TV.
        public let appleTV: [WebAddress]

        /// Creates the lists, any of which may be empty.
        public init(main: [WebAddress] = [], iPad: [WebAddress] = [], appleTV: [WebAddress] = []) {
            self.main = main
            self.iPad = iPad
            self.appleTV = appleTV
        }

        /// The screenshots to show: those of the first device that has any.
        public var shown: [WebAddress] { [main, iPad, appleTV].first { !$0.isEmpty } ?? [] }
    }

    /// The price of an app in one country.
    public struct Price: Hashable, Codable, Sendable {
        /// The amount; zero is free.
        public let amount: Decimal?
        /// The currency's ISO 4217 code, as in `KRW`.
        public let currency: String?
        /// The formatted price in the store's language: `$4.99`, `Free`.
        public let text: String?

        /// Creates a price; `nil` if both the amount and the text are missing.
        public init?(amount: Decimal?, currency: String?, text: String?) {
            guard amount != nil || text?.nonBlank != nil else { return nil }
            self.amount = amount
            self.currency = currency?.nonBlank
            self.text = text?.nonBlank
        }
    }
}

// The raw value is stored, so it must never change.
extension Favorite.Kind {
    /// An App Store app.
    public static let app: Favorite.Kind = Favorite.Kind(rawValue: "app")
}

extension AppStore.App: Favoritable {
    /// The kind ``Favorite/Kind/app``.
    public static var favoriteKind: Favorite.Kind { .app }
    /// The app's number and country, since its page in another country is another favorite.
    public var favoriteKey: String { id.description }
    /// The app's name, by which favorites are sorted.
    public var favoriteTitle: String { name }
    /// The icon in the size for rows.
    public var favoriteImage: WebAddress? { icon.forRow }
}
