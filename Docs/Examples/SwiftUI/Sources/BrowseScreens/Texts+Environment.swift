import BrowseKit
import SwiftUI

extension EnvironmentValues {
    /// The texts of the app's container, which `BrowseTabs` sets.
    @Entry var texts: Texts = Texts(locale: .current, timeZone: .current)
}
