import BrowseData
import Foundation

extension Configuration {
    var responseFolder: URL { cacheFolder ?? storageFolder ?? Self.defaultCacheFolder }

    var imageFolder: URL { responseFolder.appending(path: "images", directoryHint: .isDirectory) }

    /// Whether any service has an http URL, such as a service on this computer.
    var usesPlainHTTP: Bool {
        serviceSettings.contains { $0.service(in: self).baseURL.scheme?.lowercased() == "http" }
    }
}
