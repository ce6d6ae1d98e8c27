import BrowseDomain
public import BrowsePresentation
import BrowseRickAndMortyDomain

extension FavoriteKind {
    /// The characters of the Rick and Morty API.
    public static let rickAndMorty: [FavoriteKind] = [
        FavoriteKind(RickAndMorty.Character.self, title: CharacterRow.listTitle) { .rickAndMorty(.character($0.id)) }
    ]
}
