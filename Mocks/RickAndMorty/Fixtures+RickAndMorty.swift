public import BrowseCoreMocks
import Foundation

extension Fixtures {
    /// The bundled data of the Rick and Morty API: invented characters in the shape of real
    /// responses.
    public static let rickAndMorty = Fixtures(in: .module)
}
