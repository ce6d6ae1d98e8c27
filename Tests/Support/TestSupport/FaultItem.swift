/// A self-describing response body, so that tests detect wrong or mixed ones.
public struct FaultItem: Codable, Hashable, Sendable {
    /// The requested path.
    public let path: String
    /// The number of changes so far.
    public let version: Int
    /// The requested language.
    public let language: String
    /// The account that sent the request.
    public let account: String
    /// Text derived from the other properties, of up to about 8,000 characters.
    public let filler: String

    /// Creates an item with matching filler.
    public init(path: String, version: Int, language: String, account: String) {
        self.path = path
        self.version = version
        self.language = language
        self.account = account
        filler = Self.filler("\(path) \(version) \(language) \(account)")
    }

    /// Whether the filler matches the other properties.
    public var isConsistent: Bool { filler == Self.filler("\(path) \(version) \(language) \(account)") }

    private static func filler(_ text: String) -> String {
        let hash = SeededGenerator.hash(text)
        return String(repeating: String(hash, radix: 36), count: Int(hash % 620))
    }
}

extension SeededGenerator {
    /// Hashes text to a number that is the same in every run (FNV-1a).
    public static func hash(_ text: String, seed: UInt64 = 0) -> UInt64 {
        var generator = SeededGenerator(
            seed: text.utf8.reduce(0xCBF2_9CE4_8422_2325 ^ seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        )
        return generator.next()
    }
}
