import BrowseDomain

extension AppStore {
    /// A search term for the App Store: a `TypedText` that is neither blank nor too long.
    ///
    /// The user and password of a pasted address aren't part of it.
    public struct SearchTerm: Hashable, Sendable, CustomStringConvertible {
        /// The maximum number of Unicode scalars: 256, longer than any name of an app.
        ///
        /// Apple documents none, but servers refuse addresses of several thousand bytes.
        package static let maximumLength: Int = 256

        /// The text to send.
        public let text: String

        /// Validates typed text.
        ///
        /// - Throws: ``ValidationError``.
        public init(_ typed: String) throws(ValidationError) {
            text = TypedText(typed).withoutCredentials.text
            if text.isEmpty { throw .blank }
            let excess = text.unicodeScalars.count - Self.maximumLength
            if excess > 0 { throw .tooLong(by: excess) }
        }

        /// The text to send.
        public var description: String { text }

        /// The reason why a string isn't a search term.
        public enum ValidationError: Error, Hashable, Sendable {
            /// The text is blank, so there is nothing to search for.
            case blank
            /// The number of characters above 256.
            case tooLong(by: Int)
        }
    }
}
