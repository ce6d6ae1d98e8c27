public import BrowseData
public import BrowseDomain
public import BrowsePresentation
public import Foundation

/// The settings of the SDK.
public struct Configuration: Sendable {
    /// The app's name in requests; it can't be empty.
    public var userAgent: String
    /// The limits of requests and responses; for images, see ``imageLimits``.
    public var limits: HTTPLimits = HTTPLimits()
    /// The system service that performs requests.
    public var transport: TransportKind = .platformDefault
    /// The maximum number of requests in flight to each service, 1 to 100.
    public var requestConcurrency: Int = 8 {
        didSet { requestConcurrency = requestConcurrency.clamped(to: .requestsInFlight) }
    }
    /// The number and timing of retries.
    public var retries: RetryPolicy = .standard
    /// When cached data may be shown.
    public var loadPolicy: LoadPolicy = .cachedFirst
    /// The folder for caches; `nil` uses ``storageFolder``, or ``defaultCacheFolder`` if both are `nil`.
    public var cacheFolder: URL?
    /// The maximum size of cached responses, in bytes; 0 disables the cache.
    public var cacheByteLimit: Int = 64 << 20
    /// The observers of all requests, which must return promptly.
    public var observers: [any HTTPObserver]
    /// The limits of image requests and caches.
    public var imageLimits: ImageLimits = ImageLimits()
    /// The maximum number of pages in flight when all pages of a list are loaded, 1 to 100.
    public var pageConcurrency: Int = 4 {
        didSet { pageConcurrency = pageConcurrency.clamped(to: .requestsInFlight) }
    }
    /// The distance from the end of a list, in rows, at which a visible row loads the next page.
    public var prefetchDistance: Int = 10
    /// The folder for favorites, and for sessions outside the Keychain; `nil` uses ``defaultStorageFolder``.
    ///
    /// Only its owner can access it. Use a separate folder for each URL of a service, because its numbers identify favorites.
    public var storageFolder: URL?
    /// The locale of strings, numbers, and dates.
    public var locale: Locale
    /// The time zone of dates and times.
    public var timeZone: TimeZone
    /// Translations into other languages than English and Korean, or replacements for the SDK's strings.
    public var translations: [Translation] = []
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
    public init(
        userAgent: String = "BrowseKit",
        observers: [any HTTPObserver] = [],
        storageFolder: URL? = nil,
        locale: Locale = .current,
        timeZone: TimeZone = .current
    ) {
        self.userAgent = userAgent
        self.observers = observers
        self.storageFolder = storageFolder
        self.locale = locale
        self.timeZone = timeZone
    }

    /// The folder for data that must last, named for the app.
    ///
    /// It's in Application Support on Apple platforms, except on tvOS: apps can write only in Caches there, which the system
    /// may empty. On other platforms, it's in `$XDG_DATA_HOME` or `~/.local/share`.
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
    /// let configuration = Configuration(userAgent: "Me").with { $0.loadPolicy = .offline }
    /// ```
    ///
    /// - Throws: The error of `change`.
    public func with<Failure>(_ change: (inout Self) throws(Failure) -> Void) throws(Failure) -> Self {
        var copy = self
        try change(&copy)
        return copy
    }

    var responseFolder: URL { cacheFolder ?? storageFolder ?? Self.defaultCacheFolder }

    var imageFolder: URL { responseFolder.appending(path: "images", directoryHint: .isDirectory) }

    /// Whether any service has an http URL, such as a service on this computer.
    var usesPlainHTTP: Bool {
        serviceSettings.contains { $0.service(in: self).baseURL.scheme?.lowercased() == "http" }
    }
}
