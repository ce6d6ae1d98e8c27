extension AppStore {
    /// A text to search the shop for, as a person typed it, without white space at its ends.
    public struct SearchTerm: Hashable, Sendable, CustomStringConvertible {
        /// The text to send.
        public let text: String

        /// Checks what a person typed.
        ///
        /// - Throws: ``ValidationError``.
        public init(_ typed: String) throws(ValidationError) {
            text = typed.trimmed
            if text.isEmpty { throw .blank }
        }

        /// The text to send.
        public var description: String { text }

        /// Why a text cannot be searched for.
        public enum ValidationError: Error, Hashable, Sendable {
            /// There is nothing but white space; it means that nothing is searched for.
            case blank
        }
    }
}
