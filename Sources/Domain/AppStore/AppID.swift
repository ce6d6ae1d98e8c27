@_spi(Services) import BrowseDomain

extension AppStore {
    /// An app in the App Store of a country.
    public struct AppID: Hashable, Codable, Sendable, LosslessStringConvertible {
        /// The App Store's number, the same in all countries; about ten digits today.
        public let number: Int64
        /// The country; `nil` if the app is looked up in the storefront of the screen.
        public package(set) var country: Country?

        /// Creates an ID from the store's number.
        public init(_ number: Int64, in country: Country? = nil) {
            self.number = number
            self.country = country
        }

        /// Parses a number, `id` and a number, or a link to an app.
        ///
        /// A link has a host of the store, such as `apps.apple.com`, with or without a country or scheme, in any case, and with any
        /// text around it. Links to developers, stories, and bundles aren't links to apps.
        ///
        /// - Throws: The first ``AppStore/AppReference/ValidationError`` that applies, in the order of its cases.
        public init(typed: String) throws(AppReference.ValidationError) {
            let text = TypedText(typed).text
            guard !text.isEmpty else { throw .empty }
            if let link = try AppLink.first(in: text) {
                self.init(try Self.number(link.number), in: link.country)
            } else {
                self.init(try Self.number(Self.digits(in: text) ?? text[...]))
            }
        }

        /// Reads ``description``; for other texts, see ``init(typed:)``.
        public init?(_ description: String) {
            let end = description.dropFirst().firstIndex(of: "-") ?? description.endIndex
            guard let number = Int64(description[..<end]) else { return nil }
            self.init(number)
            guard end < description.endIndex else { return }
            guard let country = try? Country(String(description[end...].dropFirst())) else { return nil }
            self.country = country
        }

        /// The number, and the country after a hyphen, if it's known: `1500000001-kr`.
        public var description: String { [String(number), country?.code].compactMap(\.self).joined(separator: "-") }
    }
}

extension AppStore.AppID {
    /// Returns the digits of `123`, `id123`, or either with a trailing period; `nil` for other strings.
    static func digits(in text: String) -> Substring? {
        let word = text.hasSuffix(".") ? text.dropLast() : text[...]
        let digits = word.isAppID ? word.dropFirst(2) : word
        return !digits.isEmpty && digits.allSatisfy(isDigit) ? digits : nil
    }

    /// Parses digits.
    static func number(_ text: Substring) throws(AppStore.AppReference.ValidationError) -> Int64 {
        if let character = text.first(where: { !isDigit($0) }) { throw .characterNotAllowed(character) }
        guard let number = Int64(text), number > 0 else { throw .outOfRange }
        return number
    }

    /// Accepts ASCII digits only, as the store does.
    private static func isDigit(_ character: Character) -> Bool {
        character.asciiByte?.isASCIIDigit == true
    }
}
