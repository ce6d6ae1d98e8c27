import BrowseDomain
import BrowsePresentation
import TestLimits
import Testing

@Suite(.bounded) struct `A row of an entity` {
    private struct Planet: Favoritable, Hashable, Identifiable {
        static let favoriteKind = Favorite.Kind(rawValue: "test.planet")
        let id: Int
        let name: String

        var favoriteKey: String { "\(id)" }
        var favoriteTitle: String { name }
    }

    private struct PlanetRow: EntityRow {
        let entity: Planet
        var isFavorite = false

        var id: Int { entity.id }
    }

    @Test func `can have a number as its id, and has the properties of the entity`() {
        let row = PlanetRow(entity: Planet(id: 4, name: "Mars"))
        #expect(row.name == "Mars" && row.favoriteID == row.favorite.id)
        #expect(PlanetRow.id(of: row.favoriteID) == 4)
        #expect(PlanetRow.id(of: Favorite.ID(kind: Planet.favoriteKind, key: "x")) == nil)
        #expect(PlanetRow.id(of: Favorite.ID(kind: Favorite.Kind(rawValue: "test.star"), key: "4")) == nil)
    }
}
