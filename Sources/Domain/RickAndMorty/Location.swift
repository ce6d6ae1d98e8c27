#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension RickAndMorty {
    /// A place of the series.
    ///
    /// Texts that are empty or only white space are `nil`, and what is there is trimmed.
    public struct Location: Identifiable, Hashable, Sendable {
        /// The API's number for a location.
        public struct ID: RawRepresentable, Hashable, Codable, Sendable {
            /// The number.
            public let rawValue: Int64

            /// Takes the number that the server gave.
            public init(rawValue: Int64) {
                self.rawValue = rawValue
            }
        }

        /// The identity: two values with the same id are the same location.
        public let id: ID
        /// The name.
        public let name: String
        /// What it is, as in `Planet`.
        public let type: String?
        /// The dimension it is in.
        public let dimension: String?
        /// Who was last seen there, in the server's order.
        public let residents: [Character.ID]
        /// When the API took it in.
        public let created: Date?

        /// Creates a location; texts are trimmed and emptied ones become `nil`.
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
