import Foundation

extension Configuration {
    /// Where replies are kept.
    var replyFolder: URL { cacheFolder ?? storageFolder ?? Self.defaultCacheFolder }

    /// Where pictures are kept: beside replies.
    var imageFolder: URL { replyFolder.appending(path: "images", directoryHint: .isDirectory) }

    /// Whether a service is reached by http, as one on this computer may be.
    var hasPlainService: Bool {
        [gitHubURL, rickAndMortyURL, appStoreURL].contains { $0.scheme?.lowercased() == "http" }
    }
}
