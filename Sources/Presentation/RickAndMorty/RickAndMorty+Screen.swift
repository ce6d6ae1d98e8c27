public import BrowseDomain
public import BrowsePresentation
public import BrowseRickAndMortyDomain

extension RickAndMorty {
    /// A screen of the Rick and Morty API.
    public enum Screen: RouteDestination, Hashable {
        /// A character: ``CharacterDetailViewModel``.
        case character(Character.ID)
        /// An episode: ``EpisodeDetailViewModel``.
        case episode(Episode.ID)
        /// A location: ``LocationDetailViewModel``.
        case location(Location.ID)

        /// The first segment of the paths, `rick-and-morty`.
        public static let routeName: String = "rick-and-morty"

        /// `characters`, `episodes`, or `locations`, and the number.
        public var routePath: [String] {
            switch self {
            case .character(let id): ["characters", id.description]
            case .episode(let id): ["episodes", id.description]
            case .location(let id): ["locations", id.description]
            }
        }

        /// Creates a screen from its ``routePath``.
        public init?(routePath path: [String]) {
            guard let number = path.last.flatMap({ Int64($0) }), number > 0 else { return nil }
            switch path.first {
            case "characters": self = .character(Character.ID(rawValue: number))
            case "episodes": self = .episode(Episode.ID(rawValue: number))
            case "locations": self = .location(Location.ID(rawValue: number))
            default: return nil
            }
        }
    }
}

extension Route {
    /// A screen of the Rick and Morty API.
    public static func rickAndMorty(_ screen: RickAndMorty.Screen) -> Route { .other(Destination(screen)) }
}

extension FavoriteKind {
    /// The characters of the Rick and Morty API.
    package static let rickAndMorty: [FavoriteKind] = [
        FavoriteKind(RickAndMorty.Character.self, title: CharacterRow.listTitle) { .rickAndMorty(.character($0.id)) }
    ]
}
