/// A server's number of an entity. IDs of different entities have different types.
public struct NumericID<Entity>: RawRepresentable, Hashable, Codable, Sendable, LosslessStringConvertible {
    /// The number, of up to 64 bits.
    public let rawValue: Int64

    /// Creates an ID from the server's number.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// Creates an ID from the server's number.
    public init(_ number: Int64) { rawValue = number }

    /// Reads the digits of ``description``.
    public init?(_ description: String) {
        guard let number = Int64(description) else { return nil }
        self.init(rawValue: number)
    }

    /// The number in digits.
    public var description: String { String(rawValue) }
}
