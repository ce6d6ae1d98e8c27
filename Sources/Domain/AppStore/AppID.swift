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

        /// Reads ``description``; for other texts, see ``AppStore/AppReference``.
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

        /// Returns the digits of `123` or `id123`; `nil` for text that doesn't begin like a number.
        ///
        /// A trailing period isn't part of them. Text that only begins like a number is returned
        /// unchanged.
        static func digits(in text: String) -> Substring? {
            let word = text.hasSuffix(".") ? text.dropLast() : text[...]
            let digits = word.isAppID ? word.dropFirst(2) : word
            if !digits.isEmpty, digits.allSatisfy(isDigit) { return digits }
            return !text.contains(".") && text.first?.isNumber == true ? text[...] : nil
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
}
