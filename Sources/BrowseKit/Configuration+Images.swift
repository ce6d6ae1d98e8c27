import Foundation

extension Configuration {
    /// Where responses are kept.
    var responseFolder: URL { cacheFolder ?? storageFolder ?? Self.defaultCacheFolder }

    /// Where pictures are kept: beside responses.
    var imageFolder: URL { responseFolder.appending(path: "images", directoryHint: .isDirectory) }

    /// Whether a service is reached by http, as one on this computer may be.
    var hasPlainService: Bool {
        [gitHubURL, rickAndMortyURL, appStoreURL].contains { $0.scheme?.lowercased() == "http" }
    }
}
