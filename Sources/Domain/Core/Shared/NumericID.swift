/// A server's number of an entity. IDs of different entities have different types.
public struct NumericID<Entity>: RawRepresentable, Hashable, Codable, Sendable {
    /// The number, of up to 64 bits.
    public let rawValue: Int64

    /// Creates an ID from the server's number.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}
