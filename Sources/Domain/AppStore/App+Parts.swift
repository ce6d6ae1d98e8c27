#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension AppStore.App {
    /// Who made an app, and who sells it.
    public struct Developer: Hashable, Codable, Sendable {
        /// The name that the shop shows.
        public let name: String
        /// The legal name of who sells it, when the shop said so.
        public let sellerName: String?
        /// The developer's page in the shop.
        public let storePage: WebAddress?
        /// The developer's page for the app, outside of the shop.
        public let webPage: WebAddress?

        /// Creates a developer; texts are trimmed and emptied ones become `nil`.
        public init(
            name: String,
            sellerName: String? = nil,
            storePage: WebAddress? = nil,
            webPage: WebAddress? = nil
        ) {
            self.name = name.trimmed
            self.sellerName = sellerName?.nonBlank
            self.storePage = storePage
            self.webPage = webPage
        }
    }

    /// An icon in the sizes that the shop has.
    public struct Icon: Hashable, Codable, Sendable {
        /// 60 pixels wide.
        public let small: WebAddress?
        /// 100 pixels wide.
        public let medium: WebAddress?
        /// 512 pixels wide.
        public let large: WebAddress?

        /// Creates an icon.
        public init(small: WebAddress? = nil, medium: WebAddress? = nil, large: WebAddress? = nil) {
            self.small = small
            self.medium = medium
            self.large = large
        }

        /// The largest there is, for the head of a page.
        public var largest: WebAddress? { large ?? medium ?? small }
        /// One that is large enough for a row, and no larger than needed where there is a choice.
        public var forRow: WebAddress? { medium ?? large ?? small }
    }

    /// Pictures of an app in use, by the kind of device.
    public struct Screenshots: Hashable, Codable, Sendable {
        /// On an iPhone; on a Mac for an app of a Mac.
        public let main: [WebAddress]
        /// On an iPad.
        public let iPad: [WebAddress]
        /// On an Apple TV.
        public let appleTV: [WebAddress]

        /// Creates the lists; the shop may leave each of them empty.
        public init(main: [WebAddress] = [], iPad: [WebAddress] = [], appleTV: [WebAddress] = []) {
            self.main = main
            self.iPad = iPad
            self.appleTV = appleTV
        }

        /// The pictures to show: those of the first kind of device that has any.
        public var shown: [WebAddress] {
            [main, iPad, appleTV].first { !$0.isEmpty } ?? []
        }
    }

    /// What an app costs in one country.
    public struct Price: Hashable, Codable, Sendable {
        /// The amount; zero is free.
        public let amount: Decimal?
        /// The currency's code in ISO 4217, as in `KRW`.
        public let currency: String?
        /// The price as the shop writes it, in its language: `$4.99`, `Free`.
        public let text: String?

        /// Creates a price; `nil` when none of amount and text is told.
        public init?(amount: Decimal?, currency: String?, text: String?) {
            guard amount != nil || text?.nonBlank != nil else { return nil }
            self.amount = amount
            self.currency = currency?.nonBlank
            self.text = text?.nonBlank
        }
    }
}
