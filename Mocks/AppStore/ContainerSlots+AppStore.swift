import BrowseCore
public import BrowseCoreMocks
import BrowseAppStore

extension ContainerSlots {
    /// The slots of the core and of the App Store.
    public static let appStore = ContainerSlots(own: [
        "appStoreClient": { $0.appStoreClient() },
        "appRepository": { $0.appRepository() },
    ])
}
