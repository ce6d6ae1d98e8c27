extension GitHub {
    /// The name of an account as GitHub writes it.
    ///
    /// Whatever the server sends is a login: old accounts end in a hyphen, managed users contain an underscore, bots are
    /// called `name[bot]`. ``isValid`` is the rule for what is sent. The sign-up rule for names that a person types is ``Username``.
    public struct Login: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
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

        /// Whether GitHub could have given the login: letters, digits, `-`, and `_`, at most 100, and `[bot]` after them.
        ///
        /// A request for any other is refused before it is sent, since a text such as `../user` could lead elsewhere.
        public var isValid: Bool {
            let name = rawValue.hasSuffix("[bot]") ? rawValue.dropLast(5) : rawValue[...]
            return (1...100).contains(name.utf8.count)
                && name.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                        true
                    default: false
                    }
                }
        }
    }
}
