public import BrowseDomain

// The raw value is stored, so it must never change.
extension Favorite.Kind {
    /// A Rick and Morty character.
    public static let character: Favorite.Kind = Favorite.Kind(rawValue: "character")
}

extension RickAndMorty.Character: Favoritable {
    /// The kind ``Favorite/Kind/character``.
    public static var favoriteKind: Favorite.Kind { .character }
    /// The character's number.
    public var favoriteKey: String { String(id.rawValue) }
    /// The character's name, by which favorites are sorted.
    public var favoriteTitle: String { name }
    /// The portrait.
    public var favoriteImage: WebAddress? { image }
}

extension Favorite.ID {
    /// Returns the identity of a character's favorite.
    public static func character(_ id: RickAndMorty.Character.ID) -> Favorite.ID {
        Favorite.ID(kind: .character, number: id.rawValue)
    }
}

extension Favorite {
    /// A snapshot of a character as a favorite, with its current name and portrait.
    public static func character(_ character: RickAndMorty.Character) -> Favorite { Favorite(character) }
}
