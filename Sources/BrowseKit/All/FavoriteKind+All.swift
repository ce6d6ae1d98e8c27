public import BrowsePresentation

extension [FavoriteKind] {
    /// The kinds of all services in the SDK.
    public static var all: [FavoriteKind] { FavoriteKind.gitHub + FavoriteKind.rickAndMorty + FavoriteKind.appStore }
}
