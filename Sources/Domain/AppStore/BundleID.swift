extension AppStore {
    /// The identifier that a developer gave an app, as in `com.example.app`.
    public struct BundleID: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
        /// Why a text is no bundle identifier.
        public typealias ValidationError = AppReference.ValidationError

        /// The most characters of one that is typed: 255, far more than any in the shop has.
        public static let maximumLength: Int = 255

        /// The identifier, spelled as it came.
        public let rawValue: String

        /// Takes what the shop gave; nothing is checked.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Checks what a person typed; white space and invisible characters around it are ignored.
        ///
        /// ASCII letters, digits, hyphens and periods, as Apple's "CFBundleIdentifier" says, with at least one character
        /// between periods, and at least one period.
        ///
        /// - Throws: ``ValidationError`` with the first reason that applies, in the order of its cases.
        public init(_ typed: String) throws(ValidationError) {
            let text = typed.trimmedWithInvisibles
            try text.checkForInvisibles()
            guard !text.isEmpty else { throw .empty }
            if let character = text.first(where: { !Self.isAllowed($0) }) { throw .characterNotAllowed(character) }
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count > 1, parts.allSatisfy({ !$0.isEmpty }) else { throw .incompleteBundleID }
            guard text.utf8.count <= Self.maximumLength else {
                throw .tooLong(by: text.utf8.count - Self.maximumLength)
            }
            rawValue = text
        }

        /// The identifier, spelled as it came.
        public var description: String { rawValue }

        private static func isAllowed(_ character: Character) -> Bool {
            guard character.unicodeScalars.count == 1, let ascii = character.asciiValue else { return false }
            switch ascii {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                return true
            default:
                return false
            }
        }
    }
}
