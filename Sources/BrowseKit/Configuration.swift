public import BrowseData
public import BrowseDomain
public import BrowsePresentation
public import Foundation

/// Everything that an app decides about the SDK, as a plain value.
public struct Configuration: Sendable {
    // The addresses are constants, and valid.
    // swift-format-ignore: NeverForceUnwrap
    /// GitHub's public API.
    public static let publicGitHub: URL = URL(string: "https://api.github.com")!
    // swift-format-ignore: NeverForceUnwrap
    /// GitHub's public site.
    public static let publicGitHubWeb: URL = URL(string: "https://github.com")!

    // The address is a constant, and valid.
    // swift-format-ignore: NeverForceUnwrap
    /// The public Rick and Morty API.
    public static let publicRickAndMorty: URL = URL(string: "https://rickandmortyapi.com/api")!

    // The address is a constant, and valid.
    // swift-format-ignore: NeverForceUnwrap
    /// The App Store's public lookup.
    public static let publicAppStore: URL = URL(string: "https://itunes.apple.com")!

    /// Where GitHub's API is; `https://HOST/api/v3` for GitHub Enterprise Server.
    public var gitHubURL: URL
    /// Where people sign in to GitHub; `https://HOST` for GitHub Enterprise Server.
    public var gitHubWebURL: URL
    /// The app as it is registered with GitHub; `nil` when nobody signs in by it.
    public var gitHubApp: OAuthApp?
    /// A token for GitHub to begin with, such as a personal access token; it is sent to the origin of ``gitHubURL`` only.
    ///
    /// It takes the place of a session that was stored, and is not stored itself.
    public var gitHubToken: GitHub.AccessToken?
    /// The keychain access group in which the session is stored, to share it with the app's extensions; `nil` is the app's own.
    ///
    /// The group must be in the `keychain-access-groups` entitlement of all of them, and begins with the team's identifier, as
    /// in `A1B2C3D4E5.com.example.shared`. Apple platforms only.
    public var keychainAccessGroup: String?
    /// Where the Rick and Morty API is.
    public var rickAndMortyURL: URL
    /// Where the App Store's lookup is.
    public var appStoreURL: URL
    /// The country whose shop is asked; `nil` is that of ``locale``, or the United States when it has none.
    public var appStoreCountry: AppStore.Country?
    /// The language that the shop answers in; `nil` is the country's own.
    public var appStoreLanguage: AppStore.Language?
    /// What the app calls itself in requests; GitHub refuses those without a name.
    public var userAgent: String
    /// The bounds of every exchange with a service; those of pictures are in ``imageLimits``.
    public var limits: HTTPLimits
    /// The system service that performs requests.
    public var transport: TransportKind
    /// How many requests to one service are on the wire at once, 1 to 100 as GitHub demands.
    public var requestConcurrency: Int
    /// How often and how soon a request that came to nothing is sent again.
    public var retries: RetryPolicy
    /// The longest total wait of a read for rate limits; `.zero`, the default, never waits.
    ///
    /// A read that would have to wait longer fails at once with `.rateLimited`, which says when the limit ends. While a
    /// screen's load waits, its state says until when. Override it for single reads with `LoadOptions.patience`.
    public var patience: Duration
    /// Which of what was read before may be shown.
    public var loadPolicy: LoadPolicy
    /// The folder where responses and pictures are kept; `nil` is ``storageFolder``, or ``defaultCacheFolder`` when that is `nil` too.
    public var cacheFolder: URL?
    /// The most bytes of responses that are kept; 0 keeps none.
    public var cacheByteLimit: Int
    /// The observers of all requests; one that is slow or blocks delays no request.
    public var observers: [any HTTPObserver]
    /// What pictures may cost, and how long they are kept.
    public var imageLimits: ImageLimits
    /// How many pages of one list are loaded at once when all are wanted, 1 to 100.
    public var pageConcurrency: Int
    /// How close to the end a visible row must be for the next page to be loaded, in rows.
    public var prefetchDistance: Int
    /// The folder for what is kept on this device; `nil` is ``defaultStorageFolder``.
    ///
    /// It is made for its owner alone. Favorites are known by GitHub's numbers, so that another ``gitHubURL`` needs another
    /// folder.
    public var storageFolder: URL?
    /// The reader's language and habits.
    public var locale: Locale
    /// Where the reader's clock is.
    public var timeZone: TimeZone
    /// Texts in languages besides English and Korean, or in other words.
    public var translations: [Translation]
    /// The titles of the kinds of favorites that other modules add, for lists by kind.
    public var favoriteKinds: [Favorite.Kind: Phrase]
    /// The current time, for waits that a server asks for.
    public var now: @Sendable () -> Date
    /// Measures time limits.
    public var clock: any Clock<Duration>

    /// Creates a configuration; every value has a default that suits an app.
    public init(
        gitHubURL: URL = Configuration.publicGitHub,
        gitHubWebURL: URL = Configuration.publicGitHubWeb,
        gitHubApp: OAuthApp? = nil,
        gitHubToken: GitHub.AccessToken? = nil,
        keychainAccessGroup: String? = nil,
        rickAndMortyURL: URL = Configuration.publicRickAndMorty,
        appStoreURL: URL = Configuration.publicAppStore,
        appStoreCountry: AppStore.Country? = nil,
        appStoreLanguage: AppStore.Language? = nil,
        userAgent: String = "BrowseKit",
        limits: HTTPLimits = HTTPLimits(),
        transport: TransportKind = .platformDefault,
        requestConcurrency: Int = 8,
        retries: RetryPolicy = RetryPolicy(),
        patience: Duration = .zero,
        loadPolicy: LoadPolicy = .cachedFirst,
        cacheFolder: URL? = nil,
        cacheByteLimit: Int = 64 << 20,
        observers: [any HTTPObserver] = [],
        imageLimits: ImageLimits = ImageLimits(),
        pageConcurrency: Int = 4,
        prefetchDistance: Int = 10,
        storageFolder: URL? = nil,
        locale: Locale = .current,
        timeZone: TimeZone = .current,
        translations: [Translation] = [],
        favoriteKinds: [Favorite.Kind: Phrase] = [:],
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.gitHubURL = gitHubURL
        self.gitHubWebURL = gitHubWebURL
        self.gitHubApp = gitHubApp
        self.gitHubToken = gitHubToken
        self.keychainAccessGroup = keychainAccessGroup
        self.rickAndMortyURL = rickAndMortyURL
        self.appStoreURL = appStoreURL
        self.appStoreCountry = appStoreCountry
        self.appStoreLanguage = appStoreLanguage
        self.userAgent = userAgent
        self.limits = limits
        self.transport = transport
        self.requestConcurrency = min(max(1, requestConcurrency), 100)
        self.retries = retries
        self.patience = patience
        self.loadPolicy = loadPolicy
        self.cacheFolder = cacheFolder
        self.cacheByteLimit = cacheByteLimit
        self.observers = observers
        self.imageLimits = imageLimits
        self.pageConcurrency = pageConcurrency
        self.prefetchDistance = prefetchDistance
        self.storageFolder = storageFolder
        self.locale = locale
        self.timeZone = timeZone
        self.translations = translations
        self.favoriteKinds = favoriteKinds
        self.now = now
        self.clock = clock
    }

    /// Whose shop is asked, and in which language it answers.
    public var storefront: AppStore.Storefront {
        // A region may be a continent or the world (`en_001`), which has no shop.
        let own = locale.region.flatMap { try? AppStore.Country($0.identifier) }
        return AppStore.Storefront(country: appStoreCountry ?? own ?? .unitedStates, language: appStoreLanguage)
    }

    /// Where an app keeps what is to last: below Application Support on Apple platforms, below `$XDG_DATA_HOME` or
    /// `~/.local/share` elsewhere, in a folder named for the app.
    ///
    /// An Apple TV lets an app write nowhere but to its caches, which the system may empty.
    public static var defaultStorageFolder: URL {
        #if os(tvOS)
        ownFolder(in: .cachesDirectory)
        #else
        ownFolder(in: .applicationSupportDirectory)
        #endif
    }

    /// Where an app keeps what can be had again: below Caches on Apple platforms, below `$XDG_CACHE_HOME` or `~/.cache`
    /// elsewhere, in a folder named for the app.
    public static var defaultCacheFolder: URL { ownFolder(in: .cachesDirectory) }

    private static func ownFolder(in directory: FileManager.SearchPathDirectory) -> URL {
        let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
        return (FileManager.default.urls(for: directory, in: .userDomainMask).first ?? .homeDirectory)
            .appending(path: app, directoryHint: .isDirectory)
            .appending(path: "BrowseKit", directoryHint: .isDirectory)
    }
}
