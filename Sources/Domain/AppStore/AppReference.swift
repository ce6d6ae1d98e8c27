@_spi(Services) import BrowseDomain

extension AppStore {
    /// A number, link, or bundle identifier that identifies an app.
    ///
    /// Creating one validates the text before any request. An app's name isn't a reference; search
    /// for it instead.
    public enum AppReference: Hashable, Sendable {
        /// The App Store's number, typed or from a link.
        case id(AppID)
        /// The app's bundle identifier.
        case bundleID(BundleID)

        /// Validates typed or pasted text, which is read as a `TypedText`.
        ///
        /// Text that contains a link is a link, whatever surrounds it. Links have a host of the
        /// store, such as `apps.apple.com`, with or without a country or scheme; links to
        /// developers, stories, and bundles aren't links to apps. Other text is a number (`123` or
        /// `id123`), or a bundle identifier if it contains a period.
        ///
        /// - Throws: The first ``ValidationError`` that applies, in the order of its cases.
        public init(_ typed: String) throws(ValidationError) {
            let text = TypedText(typed).text.withASCIIWidth
            guard !text.isEmpty else { throw .empty }
            if let link = try AppLink.first(in: text) {
                self = .id(AppID(try AppID.number(link.number), in: link.country))
            } else if let digits = AppID.digits(in: text) {
                self = .id(AppID(try AppID.number(digits)))
            } else if text.contains(".") {
                self = .bundleID(try BundleID(typed: text))
            } else {
                throw .name
            }
        }

        /// Finds a link to an app in typed or pasted text; `nil` if there is none.
        package init?(linkIn typed: String) {
            guard let link = try? AppLink.first(in: TypedText(typed).text.withASCIIWidth),
                let number = try? AppID.number(link.number)
            else { return nil }
            self = .id(AppID(number, in: link.country))
        }

        /// The reason why a string doesn't identify an app.
        public enum ValidationError: Error, Hashable, Sendable {
            /// The text is blank.
            case empty
            /// The link doesn't lead to the App Store; the value is its host, or the text in its
            /// place.
            case foreignLink(host: String)
            /// The link leads to the App Store, but not to an app.
            case noIDInLink
            /// This character isn't allowed in a number, or in a bundle identifier.
            case characterNotAllowed(Character)
            /// The number is zero or too large.
            case outOfRange
            /// The bundle identifier has an empty component, or only one.
            case incompleteBundleID
            /// The number of characters above the 255 that a typed bundle identifier can have.
            case tooLong(by: Int)
            /// The text is a word, such as an app's name.
            case name
        }
    }
}
