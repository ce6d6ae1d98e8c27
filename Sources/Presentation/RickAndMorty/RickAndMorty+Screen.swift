public import BrowseDomain
public import BrowsePresentation
public import BrowseRickAndMortyDomain

extension RickAndMorty {
    /// A screen of the Rick and Morty API.
    public enum Screen: RouteDestination {
        /// A character: ``CharacterDetailViewModel``.
        case character(Character.ID)
        /// An episode: ``EpisodeDetailViewModel``.
        case episode(Episode.ID)
        /// A location: ``LocationDetailViewModel``.
        case location(Location.ID)

        /// `rick-and-morty`.
        public static let routeName: String = "rick-and-morty"
    }
}

extension Route {
    /// A screen of the Rick and Morty API.
    public static func rickAndMorty(_ screen: RickAndMorty.Screen) -> Route { .other(Destination(screen)) }
}
