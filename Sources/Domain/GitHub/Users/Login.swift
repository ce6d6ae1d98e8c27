extension GitHub {
    /// The name of an account as GitHub writes it.
    ///
    /// Whatever the server sends is a login: old accounts end in a hyphen, managed users contain an underscore, bots are
    /// called `name[bot]`. The sign-up rule for names that a person types is ``Username``.
    public struct Login: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The login, spelled as it came.
        public let rawValue: String

        /// Takes any text as a login; nothing is checked.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Takes any text as a login; nothing is checked.
        public init(_ text: String) {
            self.init(rawValue: text)
        }

        /// The login, spelled as it came.
        public var description: String { rawValue }
    }
}
