import BrowseData
import Foundation

extension Configuration {
    /// The folder for cached responses.
    var responseFolder: URL { cacheFolder ?? storageFolder ?? Self.defaultCacheFolder }

    /// The folder for cached images.
    var imageFolder: URL { responseFolder.appending(path: "images", directoryHint: .isDirectory) }

    /// Whether any service has an http URL, such as a service on this computer.
    var usesPlainHTTP: Bool {
        services.contains { $0.service(in: self).baseURL.scheme?.lowercased() == "http" }
    }
}
