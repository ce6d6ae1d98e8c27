public import BrowseCoreMocks
import Foundation

extension Fixtures {
    /// The bundled data of GitHub: invented people in the shape of real responses.
    public static let gitHub = Fixtures(in: .module)
}
