@_spi(Services) import BrowseDomain

extension AppStore {
    /// An app's bundle identifier, as in `com.example.app`.
    public struct BundleID: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
        /// The maximum length of typed identifiers: 255 characters, more than any in the store.
        package static let maximumLength: Int = 255

        /// The identifier as the store or the user wrote it.
        public let rawValue: String

        /// Creates an identifier from the store's text, without validation.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates an identifier from the store's text, without validation.
        public init(_ text: String) { self.init(rawValue: text) }

        /// Validates typed text, which is read as a `TypedText`.
        ///
        /// Allowed are ASCII letters, digits, hyphens, and periods (Apple's "CFBundleIdentifier"),
        /// and underscores, which apps of the store have: two or more nonempty components,
        /// separated by periods.
        ///
        /// - Throws: The first ``AppStore/AppReference/ValidationError`` that applies, in the order
        ///   of its cases.
        package init(typed: String) throws(AppReference.ValidationError) {
            let text = TypedText(typed).text
            guard !text.isEmpty else { throw .empty }
            if let character = text.first(where: { !Self.isAllowed($0) }) { throw .characterNotAllowed(character) }
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count > 1, parts.allSatisfy({ !$0.isEmpty }) else { throw .incompleteBundleID }
            let excess = text.utf8.count - Self.maximumLength
            guard excess <= 0 else { throw .tooLong(by: excess) }
            rawValue = text
        }

        /// The identifier as the store or the user wrote it.
        public var description: String { rawValue }

        private static func isAllowed(_ character: Character) -> Bool {
            character.asciiByte?.isASCIILetterOrDigit == true || "-._".contains(character)
        }
    }
}
