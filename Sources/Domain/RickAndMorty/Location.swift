@_spi(Services) public import BrowseDomain
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension RickAndMorty {
    /// A location of the series.
    ///
    /// Optional strings are trimmed, and blank ones are `nil`.
    public struct Location: Identifiable, Hashable, Sendable {
        /// The API's number.
        public let id: NumericID<Location>
        /// The name, as in `Earth (C-137)`.
        public let name: String
        /// The type, as in `Planet`.
        public let type: String?
        /// The dimension of the location.
        public let dimension: String?
        /// The characters last seen at the location, in the server's order.
        public let residents: [Character.ID]
        /// The date on which the API added the location.
        public let created: Date?

        /// Creates a location.
        public init(
            id: ID,
            name: String,
            type: String? = nil,
            dimension: String? = nil,
            residents: [Character.ID] = [],
            created: Date? = nil
        ) {
            self.id = id
            self.name = name
            self.type = type?.nonBlank
            self.dimension = dimension?.nonBlank
            self.residents = residents
            self.created = created
        }
    }
}
