public import BrowseDomain
public import Foundation

extension RickAndMorty {
    /// A location of the series.
    ///
    /// Values that a response lacks, or that are blank, are `nil`.
    public struct Location: Identifiable, Hashable, Sendable {
        /// The API's number.
        public let id: NumericID<Location>
        /// The name, as in `Earth (C-137)`.
        public let name: String
        /// The type, as in `Planet`.
        public var type: String?
        /// The dimension of the location.
        public var dimension: String?
        /// The characters last seen at the location, in the server's order.
        public var residents: [Character.ID] = []
        /// The date on which the API added the location.
        public var created: Date?

        /// Creates a location, and sets its other values with a closure.
        public init(id: ID, name: String, _ fill: (inout Self) -> Void = { _ in }) {
            self.id = id
            self.name = name
            fill(&self)
        }
    }
}

extension RickAndMorty.Location: RickAndMorty.Entity {
    /// The filter of a list of locations.
    public typealias Filter = RickAndMorty.LocationFilter

    /// The characters last seen at the location.
    public var related: [RickAndMorty.Character.ID] { residents }
}
