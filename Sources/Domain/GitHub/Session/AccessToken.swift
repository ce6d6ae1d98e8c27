extension GitHub {
    /// A secret that lets its holder act for somebody; it prints as `***` wherever it is printed.
    ///
    /// It is not `Codable`, has no public property, and its mirror is empty, so that neither a log line nor `dump` nor an
    /// encoder can show it. Only the authorization of BrowseData reads it, and sends it to its own origin alone.
    public struct AccessToken: Hashable, Sendable {
        package let secret: String

        /// Takes a token as it was given.
        ///
        /// - Throws: ``Refusal`` when the text cannot be a token; the refusal does not hold the text.
        public init(_ secret: String) throws(Refusal) {
            guard !secret.isEmpty else { throw .empty }
            // RFC 6750, section 2.1: visible ASCII. It also keeps line breaks out of the header that carries the token.
            guard secret.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .characterNotAllowed }
            self.secret = secret
        }

        /// Why a text is not a token.
        public enum Refusal: Error, Hashable, Sendable {
            /// There was no text.
            case empty
            /// The text holds white space, a line break, or something that is not ASCII.
            case characterNotAllowed
        }
    }
}

extension GitHub.AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `***`.
    public var description: String { "***" }
    /// Always `***`.
    public var debugDescription: String { "***" }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
