public import Foundation

/// A token, key, or other secret text, which prints as `***`.
///
/// It isn't `Codable`, no public property contains the text, and its mirror is empty, so logs,
/// `dump`, and encoders can't reveal it. An encoded ``PendingSignIn`` contains its secrets.
public struct Secret: Hashable, Sendable {
    /// The secret itself, only for code that sends or stores it.
    @_spi(Services) public let text: String

    /// Creates a secret.
    ///
    /// - Throws: ``ValidationError``, which doesn't contain the text.
    public init(_ text: String) throws(ValidationError) {
        guard !text.isEmpty else { throw .empty }
        // Servers refuse longer header fields.
        guard text.utf8.count <= 8192 else { throw .tooLong }
        // RFC 6750, section 2.1: visible ASCII. This also excludes line breaks, which could inject
        // header fields.
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .characterNotAllowed }
        self.text = text
    }

    /// Reads a secret from an environment variable, without white space and quotation marks around
    /// it.
    ///
    /// - Parameters:
    ///   - name: The name of the variable; if it isn't set or is blank, the result is `nil`.
    ///   - environment: The variables; `nil` uses those of the process.
    /// - Throws: ``ValidationError``, which doesn't contain the text.
    public init?(environmentVariable name: String, in environment: [String: String]? = nil) throws(ValidationError) {
        let value = (environment ?? ProcessInfo.processInfo.environment)[name]
        guard let text = value?.trimmed.unquoted.nonBlank else { return nil }
        try self.init(text)
    }

    /// The reason why a string can't be a secret.
    public enum ValidationError: Error, Hashable, Sendable {
        /// The text is empty.
        case empty
        /// The text has more than 8 KiB.
        case tooLong
        /// The text contains white space, a control character, or a character outside ASCII.
        case characterNotAllowed
    }
}

extension Secret.ValidationError: LocalizedError, CustomStringConvertible {
    /// A sentence for developers, in English, without the text.
    public var description: String {
        switch self {
        case .empty: "A token or another secret is empty."
        case .tooLong: "A token or another secret is longer than 8 KiB."
        case .characterNotAllowed:
            "A token or another secret contains white space, or a character outside visible ASCII."
        }
    }

    /// The description.
    public var errorDescription: String? { description }
}

extension Secret: CustomStringConvertible, CustomReflectable {
    /// Always `***`.
    public var description: String { "***" }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
