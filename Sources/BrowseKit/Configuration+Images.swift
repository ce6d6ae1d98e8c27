public import Foundation

extension Configuration {
    /// Where pictures are kept: below ``storageFolder`` when the app names one, otherwise below
    /// ``defaultImageFolder``.
    public var imageFolder: URL {
        storageFolder?.appending(path: "images", directoryHint: .isDirectory) ?? Self.defaultImageFolder
    }

    /// Where an app keeps pictures that can be loaded again: below Caches on Apple platforms, which the system may empty, below
    /// `$XDG_CACHE_HOME` or `~/.cache` elsewhere, in a folder named for the app.
    public static var defaultImageFolder: URL {
        let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        let folders = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)
        return (folders.first ?? .homeDirectory)
            .appending(path: app, directoryHint: .isDirectory)
            .appending(path: "BrowseKit", directoryHint: .isDirectory)
            .appending(path: "images", directoryHint: .isDirectory)
    }

    /// Whether a service is reached by http, as one on this computer may be.
    var hasPlainService: Bool {
        [gitHubURL, rickAndMortyURL, appStoreURL].contains { $0.scheme?.lowercased() == "http" }
    }
}
