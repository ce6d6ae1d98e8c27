import BrowseCore
import BrowseData
import Foundation

nonisolated extension Container {
    /// Creates the container of one of several accounts, with sessions and favorites of its own.
    ///
    /// - Parameter account: A name of the app's own, such as a UUID.
    public func container(ofAccount account: String) -> Container {
        let folder = (configuration.storageFolder ?? Configuration.defaultStorageFolder).appending(path: account)
        let stores = UserStores(
            favorites: SQLiteFavoriteRepository.shared(in: folder),
            folder: folder
        ) { session in
            // In the Keychain on Apple platforms, as the store of this container.
            makeTokenStore(for: SessionName("\(session.text) \(account)", at: configuration.letters.url))
        }
        return container(for: stores)
    }
}
