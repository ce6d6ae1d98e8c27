import BrowseDomain

extension AppStore {
    /// A search term for the App Store: a `TypedText` that isn't blank.
    public struct SearchTerm: Hashable, Sendable, CustomStringConvertible {
        /// The text to send.
        public let text: String

        /// Validates typed text.
        ///
        /// - Throws: ``ValidationError``.
        public init(_ typed: String) throws(ValidationError) {
            text = TypedText(typed).text
            if text.isEmpty { throw .blank }
        }

        /// The text to send.
        public var description: String { text }

        /// The reason why a string isn't a search term.
        public enum ValidationError: Error, Hashable, Sendable {
            /// The text is blank, so there is nothing to search for.
            case blank
        }
    }
}
