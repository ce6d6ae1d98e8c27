public import BrowseData
public import BrowseDomain
public import BrowsePresentation
public import Foundation

/// The settings of the SDK.
public struct Configuration: Sendable {
    /// The app's name in requests, in ASCII; it can't be empty.
    ///
    /// Some systems cut a field at any other character (RFC 9110, section 5.5).
    public var userAgent: String = "BrowseKit"
    /// The limits of requests and responses; for images, see ``imageLimits``.
    public var limits: HTTPLimits = HTTPLimits()
    /// The maximum number of requests in flight to each service; clients clamp it to 1 to 100.
    public var requestConcurrency: Int = 8
    /// The number and timing of retries.
    public var retries: RetryPolicy = .standard
    /// When cached data may be shown.
    public var loadPolicy: LoadPolicy = .cachedFirst
    /// The folder for caches; `nil` uses ``storageFolder``, or ``defaultCacheFolder`` if both are
    /// `nil`.
    public var cacheFolder: URL?
    /// The maximum size of cached responses, in bytes; 0 disables the cache.
    public var cacheByteLimit: Int = 64 << 20
    /// The observers of all requests, which must return promptly.
    public var observers: [any HTTPObserver] = []
    /// The limits of image requests and caches.
    public var imageLimits: ImageLimits = ImageLimits()
    /// The maximum number of pages in flight when all of a list are loaded, clamped to 1 to 100.
    public var pageConcurrency: Int = 4
    /// The distance from the end of a list, in rows, at which a visible row loads the next page.
    public var prefetchDistance: Int = 10
    /// The folder for favorites, and for sessions outside the Keychain; `nil` uses
    /// ``defaultStorageFolder``.
    ///
    /// Only its owner can access it. Use a separate folder for each URL of a service, because its
    /// numbers identify favorites.
    public var storageFolder: URL?
    /// The locale of strings, numbers, and dates.
    public var locale: Locale = .autoupdatingCurrent
    /// The time zone of dates and times.
    public var timeZone: TimeZone = .autoupdatingCurrent
    /// Translations into other languages than English and Korean, or replacements for the SDK's
    /// strings.
    public var translations: [Translation] = []
    /// The kinds of favorites beside those of the services, such as that of an app's own endpoint.
    public var favoriteKinds: [FavoriteKind] = []
    /// Returns the current time, which is compared with dates from servers.
    public var now: @Sendable () -> Date = { Date() }
    /// Measures time limits and waits.
    public var clock: any Clock<Duration> = ContinuousClock()

    /// The place of sessions; a container for tests doesn't use the keychain.
    package var sessionStorage = SessionStorage.system

    /// A place of sessions.
    package enum SessionStorage: Sendable {
        /// The keychain, or a file where there is none.
        case system
        /// A file in the storage folder.
        case file
        case memory
    }

    /// The settings of services that were set, in the order of their names.
    var serviceSettings: [any ServiceSettings] = []

    /// Creates a configuration; all values have defaults that suit an app.
    public init() {}

    /// The folder for data that must last, named for the app.
    ///
    /// It's in Application Support on Apple platforms, except on tvOS: apps can write only in
    /// Caches there, which the system may empty. On other platforms, it's in `$XDG_DATA_HOME` or
    /// `~/.local/share`.
    public static var defaultStorageFolder: URL {
        #if os(tvOS)
        ownFolder(in: .cachesDirectory)
        #else
        ownFolder(in: .applicationSupportDirectory)
        #endif
    }

    /// The folder for data that can be loaded again, named for the app.
    ///
    /// It's in Caches on Apple platforms, in `$XDG_CACHE_HOME` or `~/.cache` elsewhere.
    public static var defaultCacheFolder: URL { ownFolder(in: .cachesDirectory) }

    private static func ownFolder(in directory: FileManager.SearchPathDirectory) -> URL {
        let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        return (FileManager.default.urls(for: directory, in: .userDomainMask).first ?? .homeDirectory)
            .appending(path: app, directoryHint: .isDirectory)
            .appending(path: "BrowseKit", directoryHint: .isDirectory)
    }

    /// Returns a copy with a change.
    ///
    /// ```swift
    /// let configuration = Configuration().with { $0.loadPolicy = .offline }
    /// ```
    ///
    /// - Throws: The error of `change`.
    public func with<Failure>(_ change: (inout Self) throws(Failure) -> Void) throws(Failure) -> Self {
        try modified(self, change)
    }

    var responseFolder: URL { cacheFolder ?? storageFolder ?? Self.defaultCacheFolder }

    var imageFolder: URL { responseFolder.appending(path: "images", directoryHint: .isDirectory) }
}

extension Configuration {
    /// The reason why a configuration can't be used.
    public enum Problem: Error, Hashable, Sendable {
        /// The user agent is empty, or contains a control character, or one outside ASCII.
        case userAgent
        /// A service's base URL is invalid, or would send secrets over http.
        case baseURL(service: String, HTTPClient.Service.Problem)
        /// Another setting of a service is invalid; the reason is a sentence without the setting's
        /// value.
        case setting(service: String, reason: String)
        /// The storage folder or the cache folder isn't a file URL.
        case folder
    }

    /// Validates all values that a user or a file may have supplied.
    ///
    /// Creating a ``Container`` doesn't validate. Requests to a service with an invalid base URL
    /// fail with `.refused(.invalidConfiguration)`. A ``Problem`` contains no values of the
    /// configuration, so it can be logged.
    ///
    /// - Throws: The first ``Problem``: of the user agent, of the settings of services in the order
    ///   of their names, of the folders.
    public func validate() throws(Problem) {
        let isName = userAgent.utf8.contains { $0 > 0x20 } && userAgent.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        guard isName else { throw .userAgent }
        for settings in serviceSettings {
            try settings.service(in: self).validate(as: type(of: settings).name)
            try settings.validate(in: self)
        }
        guard [storageFolder, cacheFolder].allSatisfy({ $0?.isFileURL != false }) else { throw .folder }
    }
}

extension HTTPClient.Service {
    /// Validates a service of settings, such as a second one in ``ServiceSettings/validate(in:)``.
    ///
    /// - Throws: The problem, with the name.
    public func validate(as name: String) throws(Configuration.Problem) {
        do throws(Problem) {
            try validate()
        } catch {
            throw .baseURL(service: name, error)
        }
    }
}

extension Configuration.Problem: LocalizedError, CustomStringConvertible {
    /// The sentence for developers.
    public var description: String { errorDescription ?? "" }

    /// A sentence for developers, in English, without values of the configuration.
    public var errorDescription: String? {
        switch self {
        case .userAgent: "The user agent is empty, or contains a control character, or one outside ASCII."
        case .baseURL(let service, let problem): "\(service): \(problem.errorDescription ?? "")"
        case .setting(let service, let reason): "\(service): \(reason)"
        case .folder: "The storage folder or the cache folder isn't a file URL."
        }
    }
}

extension Configuration {
    /// The settings of a service, by default ``ServiceSettings/init()``.
    ///
    /// Only settings that were set are validated, and only their secrets are masked.
    public subscript<Settings: ServiceSettings>(_: Settings.Type) -> Settings {
        get { serviceSettings.lazy.compactMap { $0 as? Settings }.first ?? Settings() }
        set {
            serviceSettings.removeAll { $0 is Settings }
            let index = serviceSettings.firstIndex { Settings.name < type(of: $0).name }
            serviceSettings.insert(newValue, at: index ?? serviceSettings.endIndex)
        }
    }
}
