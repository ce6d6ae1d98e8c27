import BrowsePresentation

extension [FavoriteKind] {
    /// The kinds of all services in the SDK.
    static var all: [FavoriteKind] { FavoriteKind.gitHub + FavoriteKind.rickAndMorty + FavoriteKind.appStore }
}
