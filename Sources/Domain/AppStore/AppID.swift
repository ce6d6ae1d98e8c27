@_spi(Services) import BrowseDomain

extension AppStore {
    /// The App Store's number of an app, the same in all countries.
    public struct AppID: RawRepresentable, Hashable, Codable, Sendable, LosslessStringConvertible {
        /// The number; about ten digits today.
        public let rawValue: Int64

        /// Creates an ID from the store's number.
        public init(rawValue: Int64) { self.rawValue = rawValue }

        /// Parses a number, `id` and a number, or a link to an app.
        ///
        /// A link has a host of the store, such as `apps.apple.com`, for any country, with or without a scheme, in any case, and
        /// with any text around it. Links to developers, stories, and bundles aren't links to apps.
        ///
        /// - Throws: The first ``AppStore/AppReference/ValidationError`` that applies, in the order of its cases.
        public init(typed: String) throws(AppReference.ValidationError) {
            let text = TypedText(typed).text
            guard !text.isEmpty else { throw .empty }
            if let link = try AppLink.first(in: text) {
                rawValue = try Self.number(link.number)
            } else {
                rawValue = try Self.number(Self.digits(in: text) ?? text[...])
            }
        }

        /// Reads the digits of ``description``; for other texts, see ``init(typed:)``.
        public init?(_ description: String) {
            guard let number = Int64(description) else { return nil }
            self.init(rawValue: number)
        }

        /// The number in digits.
        public var description: String { String(rawValue) }
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
