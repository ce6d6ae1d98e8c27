extension AppStore {
    /// The shop's number for an app, the same in every country.
    public struct AppID: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
        /// Why a text is no number of an app, nor a link to one.
        public typealias ValidationError = AppReference.ValidationError

        /// The number; it needs 64 bits, and has about ten digits today.
        public let rawValue: Int64

        /// Takes the number that the shop gave.
        public init(rawValue: Int64) {
            self.rawValue = rawValue
        }

        /// Reads a number, `id` and a number, or a link to an app.
        ///
        /// A link is one of `apps.apple.com`, `itunes.apple.com`, or `geo.itunes.apple.com`, of any country, with or without a
        /// scheme, in any case, and with any text around it. Links to developers, stories, and bundles lead to no app.
        ///
        /// - Throws: ``ValidationError`` with the first reason that applies, in the order of its cases.
        public init(_ typed: String) throws(ValidationError) {
            let text = typed.trimmedWithInvisibles
            guard !text.isEmpty else { throw .empty }
            if let link = try AppLink.first(in: text) {
                rawValue = try Self.number(link.number)
            } else {
                try text.checkForInvisibles()
                rawValue = try Self.number(Self.digits(in: text) ?? text[...])
            }
        }

        /// The number in digits.
        public var description: String { String(rawValue) }
    }
}

extension AppStore.AppID {
    /// The digits of `123`, `id123`, or either with the period of a sentence; `nil` for any other text.
    static func digits(in text: String) -> Substring? {
        let word = text.hasSuffix(".") ? text.dropLast() : text[...]
        let digits = word.isAppID ? word.dropFirst(2) : word
        return !digits.isEmpty && digits.allSatisfy(isDigit) ? digits : nil
    }

    /// Reads digits.
    static func number(_ text: Substring) throws(ValidationError) -> Int64 {
        if let character = text.first(where: { !isDigit($0) }) { throw .characterNotAllowed(character) }
        guard let number = Int64(text), number > 0 else { throw .outOfRange }
        return number
    }

    /// Digits of ASCII alone: those of other scripts are not what the shop counts in.
    private static func isDigit(_ character: Character) -> Bool {
        character.unicodeScalars.count == 1 && ("0"..."9").contains(character)
    }
}
