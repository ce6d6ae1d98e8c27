public import BrowseCoreMocks
import Foundation

extension Fixtures {
    /// The bundled data of the App Store: invented apps in the shape of real responses.
    public static let appStore = Fixtures(in: .module)
}
