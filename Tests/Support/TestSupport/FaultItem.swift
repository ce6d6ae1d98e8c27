/// What the server of the fault run has at a path: it tells what it is, so that a body that belongs elsewhere, or was put
/// together from two, is seen to be wrong.
public struct FaultItem: Codable, Hashable, Sendable {
    /// Where it was asked for.
    public let path: String
    /// How often it had changed.
    public let version: Int
    /// The language it was asked for in.
    public let language: String
    /// Who had asked.
    public let account: String
    /// A text that follows from all of the above, of up to 8,000 characters.
    public let filler: String

    /// Creates an item as a server has it.
    public init(path: String, version: Int, language: String, account: String) {
        self.path = path
        self.version = version
        self.language = language
        self.account = account
        filler = Self.filler("\(path) \(version) \(language) \(account)")
    }

    /// Whether nothing of it belongs to another item.
    public var isWhole: Bool { filler == Self.filler("\(path) \(version) \(language) \(account)") }

    private static func filler(_ text: String) -> String {
        let hash = SeededGenerator.hash(text)
        return String(repeating: String(hash, radix: 36), count: Int(hash % 620))
    }
}

extension SeededGenerator {
    /// A number that follows from a text, the same in every run (FNV-1a).
    public static func hash(_ text: String, seed: UInt64 = 0) -> UInt64 {
        var generator = SeededGenerator(
            seed: text.utf8.reduce(0xCBF2_9CE4_8422_2325 ^ seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        )
        return generator.next()
    }
}
