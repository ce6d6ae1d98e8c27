@_spi(Services) public import BrowseDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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
