/// A text that lets its holder do what others may not; it prints as `***` wherever it is printed.
///
/// It is not `Codable`, has no public property, and its mirror is empty, so that neither a log line nor `dump` nor an
/// encoder can show it. Only BrowseData reads it, to send it to its own origin and to store it for its owner alone.
public struct Secret: Hashable, Sendable {
    package let text: String

    /// Takes a secret as it was given.
    ///
    /// - Throws: ``ValidationError`` when the text cannot be one; the refusal does not hold the text.
    public init(_ text: String) throws(ValidationError) {
        guard !text.isEmpty else { throw .empty }
        // RFC 6750, section 2.1: visible ASCII. It also keeps line breaks out of the header that carries a token.
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .characterNotAllowed }
        self.text = text
    }

    /// Why a text is not a secret.
    public enum ValidationError: Error, Hashable, Sendable {
        /// There was no text.
        case empty
        /// The text holds white space, a line break, or something that is not ASCII.
        case characterNotAllowed
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `***`.
    public var description: String { "***" }
    /// Always `***`.
    public var debugDescription: String { "***" }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
