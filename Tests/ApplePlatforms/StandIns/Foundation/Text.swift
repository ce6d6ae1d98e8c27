// Declarations of Apple's Foundation: text, from developer.apple.com/documentation/foundation.

public struct CharacterSet: Hashable, Sendable {
    public init() { standIn() }
    public init(charactersIn string: String) { standIn() }
    public static var whitespaces: CharacterSet { standIn() }
    public static var whitespacesAndNewlines: CharacterSet { standIn() }
    public static var newlines: CharacterSet { standIn() }
    public static var alphanumerics: CharacterSet { standIn() }
    public func union(_ other: CharacterSet) -> CharacterSet { standIn() }
    public static var urlQueryAllowed: CharacterSet { standIn() }
    public static var urlPathAllowed: CharacterSet { standIn() }
    public func contains(_ member: Unicode.Scalar) -> Bool { standIn() }
}

public struct LocalizedStringResource: ExpressibleByStringInterpolation, Sendable {
    public init(stringLiteral value: String) { standIn() }
}

extension NSString {
    public struct CompareOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { standIn() }
        public static let caseInsensitive = CompareOptions(rawValue: 1)
        public static let literal = CompareOptions(rawValue: 2)
        public static let backwards = CompareOptions(rawValue: 4)
        public static let anchored = CompareOptions(rawValue: 8)
        public static let numeric = CompareOptions(rawValue: 64)
        public static let diacriticInsensitive = CompareOptions(rawValue: 128)
        public static let regularExpression = CompareOptions(rawValue: 1024)
    }
}

extension StringProtocol {
    public var precomposedStringWithCanonicalMapping: String { standIn() }
    public var precomposedStringWithCompatibilityMapping: String { standIn() }
    public var decomposedStringWithCanonicalMapping: String { standIn() }
    public var decomposedStringWithCompatibilityMapping: String { standIn() }
    public var removingPercentEncoding: String? { standIn() }
    public func addingPercentEncoding(withAllowedCharacters allowedCharacters: CharacterSet) -> String? { standIn() }
    public func localizedCaseInsensitiveContains<T: StringProtocol>(_ other: T) -> Bool { standIn() }
    public func trimmingCharacters(in set: CharacterSet) -> String { standIn() }
    public func compare(
        _ other: some StringProtocol,
        options mask: NSString.CompareOptions = [],
        range: Range<Index>? = nil,
        locale: Locale? = nil
    ) -> ComparisonResult { standIn() }
    public func components(separatedBy separator: some StringProtocol) -> [String] { standIn() }
    public func replacingOccurrences(
        of target: some StringProtocol,
        with replacement: some StringProtocol,
        options: NSString.CompareOptions = [],
        range searchRange: Range<Index>? = nil
    ) -> String { standIn() }
    public func range(
        of searchString: some StringProtocol,
        options mask: NSString.CompareOptions = [],
        range searchRange: Range<Index>? = nil,
        locale: Locale? = nil
    ) -> Range<Index>? { standIn() }
}

extension AttributedString {
    public struct MarkdownParsingOptions: Sendable {
        public enum InterpretedSyntax: Sendable { case full, inlineOnly, inlineOnlyPreservingWhitespace }
        public enum FailurePolicy: Sendable { case throwError, returnPartiallyParsedIfPossible }
        public init(
            allowsExtendedAttributes: Bool = false,
            interpretedSyntax: InterpretedSyntax = .full,
            failurePolicy: FailurePolicy = .throwError,
            languageCode: String? = nil
        ) {
            standIn()
        }
    }

    public init(markdown: String, options: MarkdownParsingOptions = .init(), baseURL: URL? = nil) throws { standIn() }
}
